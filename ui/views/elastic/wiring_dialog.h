// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "core/train/wiring_study.h"

class QLabel;
class QPushButton;
class QSpinBox;

namespace tfm::ui {

class ModelDocument;
class Section;
class Style;
class StudyRun;
class StudySizes;
class WiringStudy;
class WiringTable;

/// Compares the wiring of a well-known notebook with the published one: an explanation of its
/// errors, and measurements of their effect for the document's task and sizes when the dialog was
/// opened. Not modal. Closing it cancels a running study first; closing it again closes the dialog.
class WiringDialog : public QDialog {
  Q_OBJECT

 public:
  WiringDialog(Style& style, ModelDocument& document, QWidget* parent = nullptr);

  WiringStudy& study() { return *study_; }
  const WiringTable& table() const { return *table_; }
  QSpinBox& steps() const;
  QSpinBox& seeds() const;
  StudyRun& run() { return *run_; }
  /// The study that Start would run now.
  train::WiringStudyConfig config() const;
  void reject() override;

 private:
  Section* makeNote();
  QWidget* makeRun();
  QWidget* makeOutcome();
  void showResult();

  Style& style_;
  train::WiringStudyConfig base_;
  WiringStudy* study_;
  StudySizes* sizes_;
  StudyRun* run_;
  WiringTable* table_;
  QLabel* outcome_;
  QPushButton* save_;
};

}  // namespace tfm::ui

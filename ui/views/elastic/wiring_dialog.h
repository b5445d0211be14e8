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

/// The wiring of a well-known notebook beside the published one: what is wrong with it in words,
/// and what that does in measurements, for the task and sizes of the document when the window was
/// made. Not modal. Closing it while the study runs cancels the study; closing it again closes the
/// window.
class WiringDialog : public QDialog {
  Q_OBJECT

 public:
  WiringDialog(Style& style, ModelDocument& document, QWidget* parent = nullptr);

  WiringStudy& study() { return *study_; }
  const WiringTable& table() const { return *table_; }
  QSpinBox& steps() const;
  QSpinBox& seeds() const;
  StudyRun& run() { return *run_; }
  /// What Start would do now.
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

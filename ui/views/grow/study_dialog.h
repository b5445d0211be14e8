// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <vector>

#include "core/expand/growth.h"
#include "core/train/study.h"

class QLabel;
class QPushButton;
class QSpinBox;

namespace tfm::ui {

class GrowthStudy;
class ModelDocument;
class Panel;
class Section;
class StudyPlots;
class StudyRun;
class StudyTable;
class Style;

/// "Does growing pay?": the open model, untrained, grows by a plan while it trains; against it the
/// final sizes are trained from scratch. Model, task and training are those of the document when
/// the window was made. Not modal. Closing it while the study runs cancels the study; closing it
/// again closes the window.
class StudyDialog : public QDialog {
  Q_OBJECT

 public:
  StudyDialog(Style& style, ModelDocument& document, expand::Plan plan, QWidget* parent = nullptr);

  GrowthStudy& study() { return *study_; }
  const StudyPlots& plots() const { return *plots_; }
  /// What Start would do now.
  train::StudyConfig config() const;
  void reject() override;

 private:
  QWidget* makeForm();
  Section* makeRuns();
  Section* makeGrowths();
  QLayout* makeOutcome();
  Panel* makePanel();
  QSpinBox* addNumber(Section& section, const QString& name, int least, int most, int value);

  void spreadGrowths();
  void start();
  void showResult();
  void showState();

  Style& style_;
  const expand::Plan plan_;
  train::StudyConfig base_;
  std::vector<std::int64_t> shown_growths_;  ///< of the study whose result is shown
  bool placed_ = false;                      ///< the user has chosen when it grows
  GrowthStudy* study_;

  QSpinBox* steps_;
  QSpinBox* seeds_;
  std::vector<QSpinBox*> growth_steps_;
  QWidget* form_;
  StudyRun* run_;
  StudyPlots* plots_;
  QLabel* outcome_;
  StudyTable* table_;
  QPushButton* save_;
};

}  // namespace tfm::ui

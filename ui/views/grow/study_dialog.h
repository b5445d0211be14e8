// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
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

/// "Does growing pay?": the open model, untrained, grows by a plan while it trains, compared with
/// the final size trained from scratch. Model, task and training are those of the document when the
/// dialog was opened. Not modal. Closing it cancels a running study first; closing it again closes
/// the dialog.
class StudyDialog : public QDialog {
  Q_OBJECT

 public:
  StudyDialog(Style& style, ModelDocument& document, expand::Plan plan, QWidget* parent = nullptr);

  GrowthStudy& study() { return *study_; }
  const StudyPlots& plots() const { return *plots_; }
  /// Shows a study saved here or by the command line, until the next one starts.
  void openTable(const QString& path);
  /// The study that Start would run now.
  train::StudyConfig config() const;
  void reject() override;

 private:
  QWidget* makeForm();
  Section* makeRuns();
  Section* makeGrowths();
  QLayout* makeOutcome();
  Panel* makePanel();
  QSpinBox* addNumber(Section& section, const QString& name, int least, int most, int value);

  void askForTable();
  /// The study that is shown; null before the first measurement.
  std::shared_ptr<const train::StudyResult> shown() const;
  /// The text while nothing runs.
  QString idleSentence() const;

  void spreadGrowths();
  void start();
  void showResult();

  Style& style_;
  const expand::Plan plan_;
  train::StudyConfig base_;
  std::vector<std::int64_t> shown_growths_;  ///< of the study whose result is shown
  bool placed_ = false;                      ///< the user has chosen the steps of growth
  std::shared_ptr<const train::StudyResult> opened_;
  QString opened_name_;
  std::optional<Error> opening_problem_;
  GrowthStudy* study_;

  QSpinBox* steps_;
  QSpinBox* seeds_;
  std::vector<QSpinBox*> growth_steps_;
  QWidget* form_;
  StudyRun* run_;
  StudyPlots* plots_;
  QLabel* outcome_;
  StudyTable* table_;
  QPushButton *open_, *save_;
};

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/expand/growth.h"
#include "ui/document/studies.h"
#include "ui/study/study_dialog.h"

namespace tfm::ui {

class Panel;
class Section;
class StudyPlots;

/// "Does growing pay?": the open model, untrained, grows by a plan while it trains; against it the
/// final sizes are trained from scratch.
class GrowthStudyDialog : public StudyDialog {
  Q_OBJECT

 public:
  GrowthStudyDialog(Style& style, ModelDocument& document, expand::Plan plan,
                    QWidget* parent = nullptr);

  CurvesStudy& study() const { return static_cast<CurvesStudy&>(*study_); }
  const StudyPlots& plots() const { return *plots_; }
  /// Shows a study saved here or by the command line, until the next one starts.
  void openTable(const QString& path);
  train::StudyConfig config() const override;

 protected:
  void start() override;
  Outcome outcome() const override;
  void showOutcome() override;

 private:
  Section* makeGrowths();
  Panel* makePanel();
  void askForTable();
  /// The curves that are shown; null before the first measurement.
  std::shared_ptr<const train::StudyCurves> shown() const;
  QString idleSentence() const;
  void spreadGrowths();

  const expand::Plan plan_;
  std::vector<std::int64_t> shown_growths_;  ///< of the study whose curves are shown
  bool placed_ = false;                      ///< the user has chosen when it grows
  std::shared_ptr<const train::StudyCurves> opened_;
  QString opened_name_;
  std::optional<Error> opening_problem_;
  std::vector<QSpinBox*> growth_steps_;
  Section* growths_;
  StudyPlots* plots_;
  QPushButton* open_;
};

}  // namespace tfm::ui

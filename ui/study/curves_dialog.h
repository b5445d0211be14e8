// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "ui/document/studies.h"
#include "ui/forward.h"
#include "ui/study/study_dialog.h"

namespace tfm::ui {

/// A study that compares models by their curves, with plots above the table: run here, or opened
/// from a table that was saved here or by the command line.
class CurvesDialog : public StudyDialog {
  Q_OBJECT

 public:
  CurvesStudy& study() const { return static_cast<CurvesStudy&>(*study_); }
  StudyPlots& plots() { return *plots_; }
  /// Shows the study in a table until the next one starts.
  void openTable(const QString& path);
  train::StudyConfig config() const override;

 protected:
  struct Words {
    QString title;        ///< of the figure
    QString explanation;  ///< before that of the numbers
  };
  CurvesDialog(Style& style, ModelDocument& document, CurvesStudy::Run run, const QString& title,
               const Words& words, QWidget* parent);

  /// The names of the models that would be compared now.
  virtual std::vector<std::string> armNames() const = 0;
  /// Why the study cannot start now; empty if it can.
  virtual QString whyNot() const = 0;
  /// Enables the controls for what is compared, unless a study runs.
  virtual void setChoicesEnabled(bool enabled) = 0;

  void start() override;
  Outcome outcome() const override;
  void showOutcome() override;

 private:
  Panel* makePanel(const Words& words);
  void askForTable();
  /// The curves that are shown; null before the first measurement.
  std::shared_ptr<const train::StudyCurves> shown() const;
  QString idleSentence() const;

  std::vector<std::int64_t> shown_growths_;  ///< of the study whose curves are shown
  std::shared_ptr<const train::StudyCurves> opened_;
  QString opened_name_;
  std::optional<Error> opening_problem_;
  StudyPlots* plots_;
  QPushButton* open_;
};

}  // namespace tfm::ui

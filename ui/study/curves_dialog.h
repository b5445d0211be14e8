// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "ui/document/forward.h"
#include "ui/document/studies.h"
#include "ui/study/forward.h"
#include "ui/style/forward.h"
#include "ui/widgets/forward.h"
#include "ui/widgets/table.h"

namespace tfm::ui {

/// A window for a study that compares models by their curves: what is compared, on the document's
/// task as of when it was opened, the number of steps and seeds, and the results as plots above a
/// table, of a study that ran here or opened from a table that was saved here or by the command
/// line. Not modal. Closing it while the study runs cancels the study; closing it again closes the
/// window.
class CurvesDialog : public QDialog {
  Q_OBJECT

 public:
  CurvesStudy& study() const { return *study_; }
  StudyPlots& plots() { return *plots_; }
  /// Shows the study in a table until the next one starts.
  void openTable(const QString& path);
  /// The config of the study that Start would run.
  virtual train::StudyConfig config() const;
  QSpinBox& steps() const;
  QSpinBox& seeds() const;
  StudyControls& run() const { return *run_; }
  const Table& table() const { return *table_; }
  void reject() override;

 protected:
  struct Words {
    QString title;        ///< of the figure
    QString explanation;  ///< before that of the numbers
  };
  /// Subclasses call showOutcome() at the end of their constructors.
  CurvesDialog(Style& style, ModelDocument& document, CurvesStudy::Run run, const QString& title,
               const Words& words, QWidget* parent);

  /// The names of the models that would be compared now.
  virtual std::vector<std::string> armNames() const = 0;
  /// Why the study cannot start now; empty if it can.
  virtual QString whyNot() const = 0;
  /// Enables the controls for what is compared, unless a study runs.
  virtual void setChoicesEnabled(bool enabled) = 0;

  void showOutcome();

  Style& style_;
  train::StudyConfig base_;  ///< without steps and seeds
  SideZone* const about_;    ///< what is compared

 private:
  Panel* makePanel(const Words& words);
  void start();
  void askForTable();
  void saveTable();
  /// The curves that are shown; null before the first measurement.
  std::shared_ptr<const train::StudyCurves> shown() const;
  QString idleSentence() const;

  CurvesStudy* const study_;
  StudySizes* const sizes_;
  StudyControls* const run_;
  Table* const table_;
  QLabel* const words_;
  QPushButton *const save_, *const open_;
  StudyPlots* const plots_;
  std::vector<std::int64_t> shown_growths_;  ///< of the study whose curves are shown
  std::shared_ptr<const train::StudyCurves> opened_;
  QString opened_name_;
  std::optional<Error> opening_problem_;
};

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <string>
#include <vector>

#include "core/study/study.h"
#include "ui/forward.h"
#include "ui/widgets/table.h"

namespace tfm::ui {

/// A window for a study of the document's model, task and training at the time it was opened: what
/// is compared, the number of steps and seeds, and the results. Not modal. Closing it while the
/// study runs cancels the study; closing it again closes the window.
class StudyDialog : public QDialog {
  Q_OBJECT

 public:
  /// The config of the study that Start would run.
  virtual train::StudyConfig config() const;
  QSpinBox& steps() const;
  QSpinBox& seeds() const;
  StudyControls& run() const { return *run_; }
  const Table& table() const { return *table_; }
  void reject() override;

 protected:
  struct Kind {
    QString title;
    QString start;  ///< text of the button
    QString file;   ///< proposed file name of the table
    std::vector<Table::Column> columns;
    int steps = 1000;  ///< of a run, if training has no limit
    int seeds = 3;
  };
  struct Outcome {
    QList<QStringList> rows;   ///< of the table
    QString words;             ///< the result in words
    std::string measurements;  ///< as written to a file; empty if there are none
    QString idle;              ///< text while no study runs
    bool is_problem = false;   ///< `idle` is an error message
    bool can_start = true;
  };

  /// Takes ownership of the study. Subclasses call showOutcome() at the end of their constructors.
  StudyDialog(Style& style, ModelDocument& document, BackgroundStudy* study, const Kind& kind,
              QWidget* parent);

  virtual void start() = 0;
  virtual Outcome outcome() const = 0;
  virtual void showOutcome();

  Style& style_;
  train::StudyConfig base_;  ///< without steps and seeds
  BackgroundStudy* const study_;
  SideZone* const about_;  ///< what is compared
  StudySizes* const sizes_;
  StudyControls* const run_;
  Table* const table_;
  QBoxLayout* const middle_;  ///< the results; subclasses may insert widgets above the table
  QBoxLayout* const buttons_;

 private:
  void saveTable(const QString& proposal);

  QLabel* const words_;
  QPushButton* const save_;
};

}  // namespace tfm::ui

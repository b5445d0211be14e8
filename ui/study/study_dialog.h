// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <string>
#include <vector>

#include "core/train/study.h"
#include "ui/study/study_table.h"

class QBoxLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace tfm::ui {

class BackgroundStudy;
class ModelDocument;
class SideZone;
class StudyRun;
class StudySizes;
class Style;

/// The window of a study of the document's model, task and training, as they were when it was made:
/// what is compared, steps and seeds, and what came out. Not modal. Closing it while the study runs
/// cancels the study; closing it again closes the window.
class StudyDialog : public QDialog {
  Q_OBJECT

 public:
  /// The study that Start would run now.
  virtual train::StudyConfig config() const;
  QSpinBox& steps() const;
  QSpinBox& seeds() const;
  StudyRun& run() const { return *run_; }
  const StudyTable& table() const { return *table_; }
  void reject() override;

 protected:
  struct Kind {
    QString title;
    QString start;  ///< on the button
    QString file;   ///< proposed for the table
    std::vector<StudyTable::Column> columns;
    int steps = 1000;  ///< of a run, where training has no end
    int seeds = 3;
  };
  struct Outcome {
    QList<QStringList> rows;   ///< of the table
    QString words;             ///< what came out
    std::string measurements;  ///< to be saved; empty: there are none
    QString idle;              ///< what is said while nothing runs
    bool is_problem = false;   ///< `idle` is why something failed
    bool can_start = true;
  };

  /// Takes ownership of the study. A subclass shows what came out once it is made.
  StudyDialog(Style& style, ModelDocument& document, BackgroundStudy* study, const Kind& kind,
              QWidget* parent);

  virtual void start() = 0;
  virtual Outcome outcome() const = 0;
  virtual void showOutcome();

  Style& style_;
  train::StudyConfig base_;  ///< without the runs
  BackgroundStudy* const study_;
  SideZone* const about_;  ///< what is compared
  StudySizes* const sizes_;
  StudyRun* const run_;
  StudyTable* const table_;
  QBoxLayout* const middle_;  ///< what came out, from above: there is room above the table
  QBoxLayout* const buttons_;

 private:
  void saveTable(const QString& proposal);

  QLabel* const words_;
  QPushButton* const save_;
};

}  // namespace tfm::ui

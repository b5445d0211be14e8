// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "ui/document/latest_job.h"
#include "ui/views/experiment/task_preparation.h"

class QComboBox;
class QLabel;
class QVBoxLayout;

namespace tfm::ui {

class FieldForm;
class PathRow;
class Style;
struct NewRun;
struct TaskPath;

/// What a new run learns: the kind of task, its files and its fields. Every change makes the task
/// anew in the background; what is wrong stands at the field that it speaks of.
class TaskColumn : public QWidget {
  Q_OBJECT

 public:
  /// Writes into `run`, which must outlive it. `learnt`: by former runs.
  TaskColumn(const Style& style, NewRun& run, std::vector<data::TaskConfig> learnt,
             QWidget* parent = nullptr);

  /// Begins with what a former run of the kind learnt, else with its usual values.
  void choose(std::string_view kind);
  /// Null while it is made, and where it cannot be.
  const data::Task* task() const { return prepared_.task.get(); }
  const data::TaskStatistics& statistics() const { return prepared_.statistics; }
  bool isPreparing() const { return preparation_.isBusy(); }
  /// Whether the fields hold nothing that is not allowed.
  bool isValid() const;
  /// Why there is no task, where no field says it.
  std::optional<Error> problem() const;

  QComboBox& tasks() { return *tasks_; }
  FieldForm& form() { return *form_; }
  /// The row of a path of the chosen kind, by its field's name.
  PathRow& path(std::string_view field) const;

 signals:
  /// Another kind; changed() follows.
  void kindChosen();
  /// A preparation began or ended, or a field became allowed or not.
  void changed();

 private:
  struct Row {
    const TaskPath* path;
    PathRow* widget;
  };

  void makeRows();
  void showRows();
  void prepare();
  void take(const PreparedTask& prepared);
  bool placeProblem(const Error& problem);
  void clearProblems();

  const Style& style_;
  NewRun& run_;
  const std::vector<data::TaskConfig> learnt_;
  LatestJob<PreparedTask> preparation_{this};
  PreparedTask prepared_;
  bool placed_ = false;  ///< a field says what is wrong

  QComboBox* tasks_;
  QLabel* sentence_;
  QVBoxLayout* column_;
  QWidget* fields_ = nullptr;  ///< holds the rows and the form
  std::vector<Row> rows_;
  FieldForm* form_ = nullptr;
};

}  // namespace tfm::ui

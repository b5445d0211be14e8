// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/data/task_statistics.h"
#include "ui/document/latest_job.h"
#include "ui/style/forward.h"
#include "ui/views/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// A task with the statistics of its data, or why there is none.
struct PreparedTask {
  std::shared_ptr<const data::Task> task;
  data::TaskStatistics statistics;
  std::optional<Error> problem;
};

/// The task of a new run: its kind, files and fields. Every change prepares the task again in the
/// background; errors are shown at the field concerned.
class TaskColumn : public QWidget {
  Q_OBJECT

 public:
  /// Writes into `run`, which must outlive it. `learned`: by earlier runs.
  TaskColumn(const Style& style, NewRun& run, std::vector<data::TaskConfig> learned,
             QWidget* parent = nullptr);

  /// Starts with the last task of this kind, else with default values.
  void choose(std::string_view kind);
  /// The chosen task.
  data::TaskConfig config() const;
  /// Tasks with texts read them as this model does; null: as the fields say.
  void readAs(std::shared_ptr<const data::TextCodec> model);
  /// Null while it is being prepared or if that failed.
  const data::Task* task() const { return prepared_.task.get(); }
  const data::TaskStatistics& statistics() const { return prepared_.statistics; }
  bool isPreparing() const { return preparation_.isBusy(); }
  /// Whether all fields hold allowed values.
  bool isValid() const;
  /// Why there is no task, if no field shows it.
  std::optional<Error> problem() const;

  QComboBox& tasks() { return *tasks_; }
  FieldForm& form() { return *form_; }
  /// The row of a path, by its field's name.
  PathRow& path(std::string_view field) const;

 signals:
  /// Another kind was chosen; changed() follows.
  void kindChosen();
  /// A preparation started or ended, or a field became valid or invalid.
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
  const std::vector<data::TaskConfig> learned_;
  LatestJob preparation_{this};
  PreparedTask prepared_;
  bool placed_ = false;  ///< a field shows the problem
  std::shared_ptr<const data::TextCodec> reads_;

  QComboBox* tasks_;
  QLabel* sentence_;
  QWidget* fields_ = nullptr;  ///< holds the rows and the form
  std::vector<Row> rows_;
  FieldForm* form_ = nullptr;
};

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "core/base/error.h"
#include "core/data/task_statistics.h"

namespace tfm::ui {

/// A task and what its data is like, or why there is none.
struct PreparedTask {
  std::shared_ptr<const data::Task> task;
  data::TaskStatistics statistics;
  std::optional<Error> problem;
};

/// Makes the task and looks at its examples. Of texts, whose windows are all alike, only at
/// samples.
PreparedTask prepareTask(const data::TaskConfig& config);

/// Prepares tasks on another thread. Only the newest wish counts; one that is overtaken while its
/// file is read is dropped.
class TaskPreparation : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  void start(data::TaskConfig config);
  bool isRunning() const { return running_; }

 signals:
  /// The newest wish is there.
  void finished(const PreparedTask& prepared);

 private:
  void run(data::TaskConfig config);

  bool running_ = false;
  std::optional<data::TaskConfig> next_;
};

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "core/base/error.h"
#include "core/data/task_statistics.h"

namespace tfm::ui {

/// A task with the statistics of its data, or why there is none.
struct PreparedTask {
  std::shared_ptr<const data::Task> task;
  data::TaskStatistics statistics;
  std::optional<Error> problem;
};

/// Makes the task and collects statistics of its examples; for texts, whose windows are all alike,
/// only of a sample.
PreparedTask prepareTask(const data::TaskConfig& config);

}  // namespace tfm::ui

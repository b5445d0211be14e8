// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/data/task.h"

namespace tfm::data {

/// Whether a kind of task learns from a file.
enum class TaskFile {
  None,
  Optional,  ///< it has something built in
  Needed,    ///< cannot be made without a path or text
};

/// One kind of task: what a choice shows, and how to make it.
struct TaskRow {
  std::string_view name;
  std::string_view sentence;  ///< what it is trying to do
  TaskForm form;
  TaskFile file;
  std::int64_t max_length;     ///< usual value
  std::string_view tokenizer;  ///< usual value
  std::unique_ptr<Task> (*make)(const TaskConfig& config);
};

/// All kinds, in the order to show them. A new kind is one file and one row here.
std::span<const TaskRow> taskTable();

/// Throws Error naming the kinds there are.
const TaskRow& findTask(std::string_view name);

/// Validates the config, reads its file if it has one, and makes the task. Throws Error.
std::unique_ptr<Task> makeTask(const TaskConfig& config);

}  // namespace tfm::data

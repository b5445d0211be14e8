// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/data/task.h"

namespace tfm::data {

/// Whether a kind of task uses a file.
enum class TaskFile {
  None,
  Optional,  ///< built-in examples otherwise
  Needed,    ///< requires a path or text
};

/// One kind of task.
struct TaskRow {
  std::string_view name;
  std::string_view description;  ///< what the task is
  TaskForm form;
  TaskFile file;
  std::int64_t max_length;     ///< default
  std::string_view tokenizer;  ///< default
  std::unique_ptr<Task> (*make)(const TaskConfig& config);
};

/// All kinds in display order. A new kind needs one file and one row.
std::span<const TaskRow> taskTable();

/// Whether tasks of this kind can read their file with a tokenizer.
bool takesTokenizer(std::string_view kind);

/// Throws Error listing the kinds if there is none with this name.
const TaskRow& findTask(std::string_view name);

/// Validates the config, reads its file if any, and makes the task. Throws Error.
std::unique_ptr<Task> makeTask(const TaskConfig& config);

}  // namespace tfm::data

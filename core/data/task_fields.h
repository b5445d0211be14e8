// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/data/task_config.h"
#include "core/io/fields.h"

namespace tfm::data {

/// The kinds of task that a field of TaskConfig has an effect on, by its name in files; empty: all.
const std::vector<std::string_view>& kindsOf(std::string_view field);
/// Whether the field has an effect on tasks of this kind.
bool takesField(std::string_view kind, std::string_view field);

/// The fields of a task with their bounds, bound to `config`: all but its kind, texts and paths.
/// Those without effect on its kind say so.
std::vector<io::Field> taskFields(TaskConfig& config);

}  // namespace tfm::data

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/task_config.h"

namespace tfm::data {

class Task;

/// Question and answer from the rows of a two-column file, as characters. Both have at most
/// max_length-1; columns after the second (attributions) are ignored. For this and the next: rows
/// that are too long are left out and counted (Task::leftOut). Rows with the same question are on
/// the same side; held_out of the different questions, at least one, are for evaluation. Throws
/// Error where fewer than two different questions are left, and for a file that is not such a
/// table.
std::unique_ptr<Task> makePairs(const TaskConfig& config);

/// A text (at most max_length characters) and its label: the second column, or the first with
/// label_first. Throws Error also for fewer than 2 and more than 256 different labels. With another
/// tokenizer than characters, with clean or with a test apart it is made by makeLabelled().
std::unique_ptr<Task> makeClasses(const TaskConfig& config);

}  // namespace tfm::data

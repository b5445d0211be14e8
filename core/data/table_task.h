// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/task_config.h"

namespace tfm::data {

class Task;

/// Question and answer from the rows of a table (readCorpus()), as at most max_length - 1 tokens
/// each: characters, or byte pairs learned from both columns of the training rows, with one
/// vocabulary for questions and answers. Columns after the second (attributions) are ignored. In
/// this task and the next, longer rows are skipped and counted (Task::leftOut()). Rows with the
/// same question are on the same side; a share held_out of the different questions, at least one,
/// is for evaluation. Throws Error if fewer than two different questions or no row on a side
/// remain, if the file is not such a table, and for a tokenizer that cannot write.
std::unique_ptr<Task> makePairs(const TaskConfig& config);

/// A text (at most max_length characters) and its label: the second column, or the first with
/// label_first. Throws Error also for fewer than 2 or more than kMaxLabels labels. With another
/// tokenizer, with `clean` or with test texts, it is made by makeLabelled().
std::unique_ptr<Task> makeClasses(const TaskConfig& config);

}  // namespace tfm::data

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/task_config.h"

namespace tfm::data {

class Task;

/// The next character of a text. The text is split into up to ten stretches, and the end of each (a
/// share held_out) is for evaluation: no evaluation window shares a character with a training
/// window. Training windows start anywhere, shuffled for each epoch; evaluation windows are
/// consecutive.
///
/// by_line: each line that is not empty is a text, a share held_out of them for evaluation. Between
/// the end of a line and the next one, which is one token, it has its characters; what is longer
/// than the context is cut. The token begins what is typed, and ends an answer.
///
/// Throws Error if the text is too short for the context, has no two different lines, and the
/// errors of readCorpus().
std::unique_ptr<Task> makeText(const TaskConfig& config);

}  // namespace tfm::data

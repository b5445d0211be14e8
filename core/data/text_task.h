// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/task_config.h"

namespace tfm::data {

class Task;

/// The next character of a text. The text is split into up to ten stretches, and the end of each (a
/// share held_out) is for evaluation: no evaluation window shares a character with a training
/// window. Training windows start anywhere, shuffled for each epoch; evaluation windows are
/// consecutive. Throws Error if the text is too short for the context, and the errors of
/// readCorpus().
std::unique_ptr<Task> makeText(const TaskConfig& config);

}  // namespace tfm::data

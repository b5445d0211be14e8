// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/task_config.h"

namespace tfm::data {

class Task;

/// The next character of a text. The text is cut into up to ten stretches, and the end of each
/// (held_out of it) is kept for evaluation: no evaluation window shares a character with a training
/// window. Training windows start anywhere, in a new order every epoch; evaluation windows follow
/// each other. Throws Error for a text too short for the context, and corpusText()'s errors.
std::unique_ptr<Task> makeText(const TaskConfig& config);

}  // namespace tfm::data

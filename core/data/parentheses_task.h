// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/task_config.h"

namespace tfm::data {

class Task;

/// Are the parentheses balanced? Strings of even length from 2 to max_length, both answers equally
/// likely. Balanced strings are uniform among those of their length. Of the others, half have
/// equally many of both parentheses in a wrong order, and half are balanced strings with one
/// parenthesis flipped, so that neither counting nor the ends alone give the answer.
std::unique_ptr<Task> makeParentheses(const TaskConfig& config);

}  // namespace tfm::data

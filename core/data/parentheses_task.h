// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/task_config.h"

namespace tfm::data {

class Task;

/// Does every parenthesis have its partner? Strings of an even length from 2 to max_length, both
/// answers equally likely. A balanced one is uniform among those of its length. Of the others, half
/// have as many closing as opening ones but in a wrong order, half are balanced ones with one
/// parenthesis turned round, so that neither counting nor the ends alone give the answer.
std::unique_ptr<Task> makeParentheses(const TaskConfig& config);

}  // namespace tfm::data

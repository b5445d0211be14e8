// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/task_config.h"

namespace tfm::data {

class Task;

/// "anna gave ben" -> "cake": who gave whom what, for each ordered pair of the first alphabet_size
/// people. The things are random, so there is no rule to learn: a model must remember every fact,
/// and how many it can remember depends on its parameters. The facts are the same for all seeds.
/// Unseen facts cannot be answered, so both sides contain all facts.
std::unique_ptr<Task> makeFacts(const TaskConfig& config);

}  // namespace tfm::data

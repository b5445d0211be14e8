// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/task_config.h"

namespace tfm::data {

class Task;

/// "anna gave ben" -> "cake": who gave whom what, for each ordered pair of the first alphabet_size
/// people. Each thing was drawn by chance, so that no rule gives it: a model has to remember every
/// fact, and how many it can remember is a matter of its parameters. The table is the same for all
/// seeds. Nothing could answer a fact it never saw, so both sides hold all of them.
std::unique_ptr<Task> makeFacts(const TaskConfig& config);

}  // namespace tfm::data

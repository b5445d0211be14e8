// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/task_config.h"

namespace tfm::data {

class Task;

/// "12+34" -> "46". Each summand has 1 ... digits digits, every count equally likely; with
/// fixed_digits both are filled up with zeros, and so is the sum (to one digit more). A sum and the
/// same with its summands exchanged are on the same side of the split; sums of one-digit numbers
/// alone are too few to split.
std::unique_ptr<Task> makeAddition(const TaskConfig& config);

}  // namespace tfm::data

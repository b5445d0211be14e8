// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/task_config.h"

namespace tfm::data {

class Task;

/// "12+34" -> "46". Each summand has 1 to `digits` digits, all equally likely; with fixed_digits,
/// summands and sum (one digit longer) are zero-padded. A sum and its commuted form are on the same
/// side of the split; sums of two one-digit numbers are too few to split.
std::unique_ptr<Task> makeAddition(const TaskConfig& config);

}  // namespace tfm::data

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/task_config.h"

namespace tfm::data {

class Task;

/// Rows of numbers, answered with rows of numbers (TaskForm::Numbers).
///
/// Generated: words of max_length letters, each of which stands for feature_width numbers drawn
/// from N(0, 1) with feature_seed. The answer at a position is target_width numbers: a fixed random
/// linear map of the position's numbers plus another of the mean over all positions, so that a
/// model must look at the others. Each part has variance 1/2. With answers_input it is the
/// position's numbers themselves; throws Error where the widths differ.
///
/// Of a file: an .npz with `inputs` and `targets`, or a CSV (parseNumberTable()). Token r1 stands
/// for the first row of the table, and so on; a question is the rows of a sequence. Equal sequences
/// are on the same side, of which a share held_out is for evaluation. A number is right within a
/// tenth of the standard deviation of all targets. Throws Error for fewer than two different
/// sequences.
std::unique_ptr<Task> makeRegression(const TaskConfig& config);

}  // namespace tfm::data

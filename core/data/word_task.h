// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/task_config.h"

namespace tfm::data {

class Task;

/// Words of 1 to max_length - 1 letters, all lengths and letters equally likely, as in the notebook
/// of the annotated encoder-decoder (50 x 15 letters there). The answer is as long as the word.
/// Each letter becomes the one 13 places later. Throws Error unless alphabet_size is 26.
std::unique_ptr<Task> makeRot13(const TaskConfig& config);
/// The word itself.
std::unique_ptr<Task> makeCopy(const TaskConfig& config);
/// The word backwards.
std::unique_ptr<Task> makeReverse(const TaskConfig& config);
/// The letters of the word in alphabetical order.
std::unique_ptr<Task> makeSort(const TaskConfig& config);

}  // namespace tfm::data

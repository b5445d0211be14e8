// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/task_config.h"

namespace tfm::data {

class Task;

/// Words of 1 ... max_length-1 letters, every length and every letter equally likely, drawn as in
/// the notebook of the annotated encoder-decoder (50 x 15 letters there). The answer is as long as
/// the word. Each letter becomes the one 13 further on. Throws Error unless alphabet_size is 26.
std::unique_ptr<Task> makeRot13(const TaskConfig& config);
/// The word itself.
std::unique_ptr<Task> makeCopy(const TaskConfig& config);
/// The word from its end.
std::unique_ptr<Task> makeReverse(const TaskConfig& config);
/// The letters of the word in the order of the alphabet.
std::unique_ptr<Task> makeSort(const TaskConfig& config);

}  // namespace tfm::data

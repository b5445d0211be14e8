// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/data/vocabulary.h"
#include "core/model/batch.h"

namespace tfm::data {

class Task;

/// The questions of all stored examples of both sides, whose features are computed before training.
std::vector<Ids> storedQuestions(const Task& task);

/// Replaces the source tokens of a batch by their features from the task's frozen encoder, zeros
/// for pads. Does nothing if the task has none (Task::features()). Throws Error if the encoder
/// cannot be read.
void useFeatures(const Task& task, Batch& batch);

}  // namespace tfm::data

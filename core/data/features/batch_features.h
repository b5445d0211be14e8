// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/data/vocabulary.h"
#include "core/model/batch.h"

namespace tfm::data {

class Task;

/// The questions of a task's stored examples of both sides: what its features are computed of
/// before training.
std::vector<Ids> storedQuestions(const Task& task);

/// Puts what a task's frozen encoder makes of a batch's source tokens in their place, zeros for
/// pads. Does nothing for a task without one (Task::features). Throws Error where the encoder
/// cannot be read.
void useFeatures(const Task& task, Batch& batch);

}  // namespace tfm::data

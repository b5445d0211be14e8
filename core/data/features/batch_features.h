// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/data/vocabulary.h"
#include "core/model/batch.h"

namespace tfm::data {

class Task;
class TextCodec;

/// The questions of all stored examples of both sides, whose features are computed before training.
std::vector<Ids> storedQuestions(const Task& task);

/// Replaces the source tokens of a batch by the features that the codec has for them, from its
/// frozen encoder or drawn, zeros for pads. Does nothing if it has none
/// (TextCodec::featureWidth()). Throws Error if the encoder cannot be read.
void useFeatures(const TextCodec& codec, Batch& batch);

}  // namespace tfm::data

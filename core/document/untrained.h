// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/document/document.h"
#include "core/model/presets.h"

namespace tfm::train {

/// A new model for the task, before its first step: the model gets the task's sizes, and a
/// regression the model's. Throws Error.
Document untrainedFor(const data::TaskConfig& task, ModelConfig model, const TrainConfig& train);

/// A new model without a task, its weights drawn from the seed: to look at, to grow and to export.
/// It keeps its sizes. Its tokens are the letters a to z, the other printable characters of ASCII,
/// tokens without a character ([token 93]) for the remaining rows of its embedding, <start> and
/// <pad>; where it reads numbers, each letter stands for a row of random ones. Throws Error, also
/// where there is no memory for it.
Document untrainedAlone(const ModelConfig& model, const TrainConfig& train);

/// A preset as a new model: untrainedFor() its task, or untrainedAlone() where it has none or one
/// that needs a file. Throws Error.
Document untrained(const Preset& preset);

}  // namespace tfm::train

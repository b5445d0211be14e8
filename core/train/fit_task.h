// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/framing.h"
#include "core/model/model_config.h"

namespace tfm::train {

/// How a model of this architecture is trained on the task. Throws Error if it cannot be.
data::Framing framingFor(const ModelConfig& config, const data::Task& task);

/// Sets the input, vocabularies, lengths and output of a config to those of the task. If the task
/// has a frozen encoder, the model reads its features, and the hidden size is at least their width.
void fitToTask(ModelConfig& config, const data::Task& task);

/// Throws Error naming the first size of the config that does not fit the task.
void checkFit(const ModelConfig& config, const data::Task& task);

/// The label whose first occurrence ends an answer, or -1.
std::int32_t endLabel(const data::Task& task, data::Framing framing);

}  // namespace tfm::train

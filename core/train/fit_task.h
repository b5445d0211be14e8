// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/framing.h"
#include "core/model/model_config.h"

namespace tfm::train {

/// How a model of this architecture reads the task. Throws Error saying why where it cannot.
data::Framing framingFor(const ModelConfig& config, const data::Task& task);

/// Gives a config the input, vocabularies, lengths and output that the task needs; what they were
/// does not matter. Where the task has a frozen encoder, the model reads its features, and a hidden
/// size below their width becomes that width.
void fitToTask(ModelConfig& config, const data::Task& task);

/// Throws Error naming the first size of the config that the task cannot be learnt with.
void checkFit(const ModelConfig& config, const data::Task& task);

/// The label whose first occurrence ends an answer, or -1.
std::int32_t endLabel(const data::Task& task, data::Framing framing);

}  // namespace tfm::train

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/data/framing.h"
#include "core/data/task_config.h"
#include "core/model/model_config.h"

namespace tfm::train {

/// How a model of this architecture reads questions and answers. Throws Error saying why where it
/// cannot.
data::Framing framingFor(const ModelConfig& config, const data::TextCodec& codec);

/// The output with which a model of this architecture gives answers of the form that the codec
/// asks for. States that are compared with numbers stay the output.
OutputKind outputFor(const ModelConfig& config, const data::TextCodec& codec);

/// Gives a config the input, vocabularies, lengths and output that the codec needs; what they were
/// does not matter. Where it has a frozen encoder, the model reads its features, and a hidden
/// size below their width becomes that width.
void fitToTask(ModelConfig& config, const data::TextCodec& codec);

/// For a regression on generated numbers, the task with the widths and length of a model that reads
/// features; other tasks unchanged.
data::TaskConfig taskLike(const ModelConfig& config, data::TaskConfig task);

/// Throws Error naming the first size of the config that does not fit the codec.
void checkFit(const ModelConfig& config, const data::TextCodec& codec);

/// Throws Error where a model that reads texts with `codec` cannot continue with the task: they do
/// not fit, or the task has other tokens or classes.
void requireSuits(const ModelConfig& config, const data::TextCodec& codec,
                  const data::TextCodec& task);

/// What training, measuring and studies of a model without a task throw.
Error noTask();

/// The label whose first occurrence ends an answer, or -1.
std::int32_t endLabel(const data::TextCodec& codec, data::Framing framing);

}  // namespace tfm::train

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/program/program.h"

namespace tfm::observe {

/// What an attention computes, in that order. Probabilities are the map that an intervention
/// changes, from what the Softmax is then; Dropped is what dropout leaves of them.
enum class AttentionStage { Scores, Masked, Softmax, Probabilities, Dropped, Mixed };

/// Nothing for a tensor that no attention computes.
std::optional<AttentionStage> attentionStageOf(const Program& program, TensorId tensor);
/// Whether it has one number for each head, query and key of an attention.
bool isAttentionMap(const Program& program, TensorId tensor);
/// The attention that computes such a map, or adds it to its scores; nullptr for other tensors.
const Step* attentionOf(const Program& program, TensorId map);
/// The tensor of a stage of an attention; kNoTensor if the step does not have or keep it.
TensorId tensorAt(const Step& attention, AttentionStage stage);

}  // namespace tfm::observe

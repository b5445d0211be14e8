// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/backend/backend.h"
#include "core/data/framing.h"
#include "core/model/model_state.h"
#include "core/observe/intervention.h"
#include "core/program/tensor_change.h"

namespace tfm::train {

/// Held-out examples that the means of an ablation are taken over.
inline constexpr std::int64_t kMeanExamples = 200;

/// Throws Error for a target outside the model, a mean without a task or of an attention map or
/// weight, a patch of a weight, and a text that cannot be read. Means need a codec that is a
/// data::Task.
void requirePossible(const ModelConfig& config, const data::TextCodec& codec,
                     const observe::Intervention& intervention);

/// What each of some interventions changes, by itself. Means and patches are taken from `state`, in
/// the precision of `Real`: that of the runs that the changes are for. `backend` answers the texts.
/// Throws Error as requirePossible(), and for a place that the other text does not have.
template <class Real = float>
std::vector<std::vector<TensorChange>> changesBy(
    const ModelState& state, const data::TextCodec& codec,
    std::span<const observe::Intervention> interventions, const Backend<float>& backend);

/// A copy of a model with interventions in force, in order: edited weights, and
/// ModelConfig::changes, which apply to every program built from its config, whether it observes,
/// explains, answers, evaluates or decodes. Edits of weights are among them, though already made,
/// so that no changed model is trained or saved. Without interventions, an equal copy. Throws Error
/// as changesBy().
template <class Real = float>
ModelState withInterventions(const ModelState& state, const data::TextCodec& codec,
                             std::span<const observe::Intervention> interventions,
                             const Backend<float>& backend);

/// Throws Error for an intervention on a position beyond the end of this input.
void checkInside(const ModelConfig& config, const Batch& batch,
                 std::span<const observe::Intervention> interventions);

/// Throws Error if interventions are in force; `where` names what refuses them.
void refuseInterventions(const ModelConfig& config, const std::string& where);

}  // namespace tfm::train

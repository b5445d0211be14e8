// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/model_config.h"
#include "core/program/parameter_layout.h"
#include "core/tensor/aligned_vector.h"

namespace tfm {

/// A run of parameters that were not updated in `steps` of the optimizer's steps: they were added
/// later, or not part of a smaller granularity. The bias correction of their moments counts fewer
/// steps.
struct MissedSteps {
  std::int64_t first = 0;  ///< in the arena of all parameters
  std::int64_t count = 0;
  std::int64_t steps = 0;
  bool operator==(const MissedSteps&) const = default;
};

/// A snapshot of a training: all that is needed to resume it bit for bit. Random numbers are
/// functions of (seed, step), so the step is the random state. Immutable once shared.
struct ModelState {
  ModelConfig config;
  ParameterLayout layout;
  AlignedVector<float> parameters;
  /// Of the optimizer; zeros before the first step. Both empty: zeros, or a copy made without them.
  AlignedVector<float> first_moment;
  AlignedVector<float> second_moment;  ///< Adam only; zeros otherwise
  std::int64_t optimizer_step = 0;     ///< updates of the moments
  /// Sorted, without overlap; parameters in none of them have missed no step.
  std::vector<MissedSteps> missed_steps;
  std::int64_t step = 0;  ///< training steps done
  std::uint64_t seed = 0;
};

/// A new model, initialized from `seed`.
ModelState initialState(const ModelConfig& config, std::uint64_t seed);

/// The steps that each parameter has missed, in arena order.
std::vector<std::int64_t> missedByEntry(const ModelState& state);
/// The same as runs.
std::vector<MissedSteps> missedRuns(std::span<const std::int64_t> by_entry);
/// Appends a run, merging it with an adjacent one that has missed the same. Runs that have missed
/// no step are left out.
void appendRun(std::vector<MissedSteps>& runs, const MissedSteps& run);

/// The optimizer begins anew.
void forgetMoments(ModelState& state);

/// Memory of the parameters and moments.
std::int64_t byteCount(const ModelState& state);

}  // namespace tfm

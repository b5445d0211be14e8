// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/model_config.h"
#include "core/program/parameter_layout.h"
#include "core/tensor/aligned_vector.h"

namespace tfm {

/// A run of parameters that `steps` of the optimizer's steps have passed by: they were added later,
/// or left out by steps of smaller granularities. Their moments have seen that many fewer, so the
/// bias correction counts from there.
struct MissedSteps {
  std::int64_t first = 0;  ///< in the arena of all parameters
  std::int64_t count = 0;
  std::int64_t steps = 0;
  bool operator==(const MissedSteps&) const = default;
};

/// A model at one moment of its training: all that is needed to go on bit for bit. Random numbers
/// are functions of (seed, step), so the step is the random state. Never changed once shared.
struct ModelState {
  ModelConfig config;
  ParameterLayout layout;
  AlignedVector<float> parameters;
  AlignedVector<float> first_moment;   ///< of the optimizer; zeros before the first step
  AlignedVector<float> second_moment;  ///< Adam only; zeros otherwise
  std::int64_t optimizer_step = 0;     ///< steps that the moments have seen
  /// In order, without overlap; what is in none of them has missed nothing.
  std::vector<MissedSteps> missed_steps;
  std::int64_t step = 0;  ///< training steps done
  std::uint64_t seed = 0;
};

/// A new model with its first values drawn from `seed`.
ModelState initialState(const ModelConfig& config, std::uint64_t seed);

/// The steps that each parameter has missed, in the order of the arena.
std::vector<std::int64_t> missedByEntry(const ModelState& state);
/// The same as runs.
std::vector<MissedSteps> missedRuns(std::span<const std::int64_t> by_entry);
/// Adds a run after the last one; joins them where they are neighbours that have missed the same.
/// One that has missed nothing is left out.
void appendRun(std::vector<MissedSteps>& runs, const MissedSteps& run);

/// The memory that its numbers take.
std::int64_t byteCount(const ModelState& state);

}  // namespace tfm

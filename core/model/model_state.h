// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/model_config.h"
#include "core/program/parameter_layout.h"
#include "core/tensor/aligned_vector.h"

namespace tfm {

/// A run of parameters that were added to a trained model. Their moments started at zero when the
/// optimizer had done `optimizer_step` steps, so its bias correction counts from there.
struct Birth {
  std::int64_t first = 0;  ///< in the arena of all parameters
  std::int64_t count = 0;
  std::int64_t optimizer_step = 0;
  bool operator==(const Birth&) const = default;
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
  /// In order, without overlap; what is in none of them was there from the optimizer's first step.
  std::vector<Birth> births;
  std::int64_t step = 0;  ///< training steps done
  std::uint64_t seed = 0;
};

/// A new model with its first values drawn from `seed`.
ModelState initialState(const ModelConfig& config, std::uint64_t seed);

/// The memory that its numbers take.
std::int64_t byteCount(const ModelState& state);

}  // namespace tfm

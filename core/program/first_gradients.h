// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/program/program.h"
#include "core/program/used_parameters.h"

namespace tfm {

/// A set of inputs of a step: bit i for input i.
using InputBits = std::uint32_t;

/// The gradients to which a step's backward pass is the first to add. It overwrites those of the
/// inputs in the bit sets; the others are cleared just before it, so that they are in the cache.
struct FirstGradients {
  InputBits activations = 0;
  InputBits parameters = 0;
  std::vector<TensorId> cleared_activations;
  std::vector<ParameterWindow> cleared_parameters;
};

/// One entry per step, for backward passes in reverse order of steps. A step cannot overwrite a
/// gradient if it reads the tensor twice, or only part of a parameter that other steps read more
/// of. One additional entry at the end clears scalars that no step reads, such as losses. Other
/// activations that no step reads keep the zeros of their allocation: some, such as attention
/// probabilities, are large.
std::vector<FirstGradients> firstGradients(const Program& program);

/// The layout of the gradients of activations during a backward pass.
struct GradientMemory {
  std::vector<std::int64_t> offsets;  ///< of each tensor; -1: it has none
  std::int64_t size = 0;

  /// The gradient of a tensor in such memory; empty if it has none.
  template <class Real>
  MatrixView<Real> of(const Program& program, TensorId id, Real* memory) const {
    const TensorInfo& t = program.tensors[std::size_t(id)];
    const std::int64_t offset = offsets[std::size_t(id)];
    return {offset < 0 ? nullptr : memory + offset, t.rows, t.cols, t.stride};
  }
};
/// Of a watched program, all gradients side by side, as the activations are. Otherwise a gradient
/// lives from the first step that adds to it to the step that computed its tensor, and gradients
/// that do not live at the same time share memory; a tensor that no step reads has none, except for
/// the first output of a step, whose gradient stays zero.
GradientMemory gradientMemory(const Program& program);

}  // namespace tfm

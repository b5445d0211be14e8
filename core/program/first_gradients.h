// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/program/program.h"
#include "core/program/used_parameters.h"

namespace tfm {

/// Some inputs of a step: bit i for input i.
using InputBits = std::uint32_t;

/// The gradients that a step's backward is the first to add to: it overwrites those of the inputs
/// named by bits; the others are set to zero just before it, so that they are in the cache then.
struct FirstGradients {
  InputBits activations = 0;
  InputBits parameters = 0;
  std::vector<TensorId> cleared_activations;
  std::vector<ParameterWindow> cleared_parameters;
};

/// One entry a step, by the order of backward passes (the last step first). A gradient cannot be
/// overwritten by a step that reads its tensor twice, nor a parameter's by one that reads only a
/// part of what other steps read. A last entry more clears single numbers that no step reads, as
/// losses are. Any other activation that no step reads keeps the zeros it began with; the
/// probabilities of attention are such, and large.
std::vector<FirstGradients> firstGradients(const Program& program);

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/program/parameter_layout.h"

namespace tfm::observe {

/// Euclidean norms of a parameter and its gradient.
struct ParameterNorm {
  std::string name;
  double value = 0.0;
  double gradient = 0.0;
  ParameterTag tag = {};
};

/// One entry per parameter, in the order of the layout. Gradient norms are NaN if `gradients` is
/// empty.
std::vector<ParameterNorm> parameterNorms(const ParameterLayout& layout,
                                          std::span<const float> parameters,
                                          std::span<const float> gradients);

}  // namespace tfm::observe

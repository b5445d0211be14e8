// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/model/submodel.h"

namespace tfm::matformer {

/// The cost of a submodel.
struct Cost {
  std::int64_t parameters = 0;  ///< that it reads, including those shared with larger submodels
  std::int64_t flops = 0;       ///< of one forward pass on one sequence of maximum length
  bool operator==(const Cost&) const = default;
};

/// Throws Error for a submodel that the model does not have.
Cost costOf(const ModelConfig& config, const Submodel& submodel);

}  // namespace tfm::matformer

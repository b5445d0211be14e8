// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/model/submodel.h"

namespace tfm::matformer {

/// What a submodel takes.
struct Cost {
  std::int64_t parameters = 0;  ///< that it reads; those it shares with larger ones included
  std::int64_t flops = 0;       ///< of one forward pass of one sequence as long as the model allows
  bool operator==(const Cost&) const = default;
};

/// Throws Error for a submodel that the model has not.
Cost costOf(const ModelConfig& config, const Submodel& submodel);

}  // namespace tfm::matformer

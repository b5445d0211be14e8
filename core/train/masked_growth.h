// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/model/model_config.h"

namespace tfm::train {

/// The number of steps after which the components that norms mask (see expand::HiddenMethod::Mask)
/// have their full weight; 0 for a model without them.
inline std::int64_t maskEnd(const ModelConfig& model) {
  return model.mask_size > 0 ? model.mask_begin + model.mask_steps : 0;
}

/// Their weight after so many steps, from 0 to 1; 1 for a model without them.
inline double maskWeight(const ModelConfig& model, std::int64_t step) {
  if (model.mask_size == 0) return 1.0;
  return std::clamp(double(step - model.mask_begin) / double(model.mask_steps), 0.0, 1.0);
}

}  // namespace tfm::train

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_config.h"

namespace tfm {

/// Gives each cross-attention that no program runs the sizes of its layer's self-attention, so that
/// layers that compute alike are equal.
void alignUnusedAttention(ModelConfig& config);

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/io/fields.h"
#include "core/model/model_config.h"

namespace tfm {

/// Most layers of a stack.
inline constexpr std::int64_t kMostLayers = 1024;
/// Most blocks of a layer.
inline constexpr std::int64_t kMostBlocks = 16;

/// All fields of a config but the layers, in the order of files and forms, bound to `config`.
std::vector<io::Field> configFields(ModelConfig& config);

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/io/fields.h"
#include "core/model/model_config.h"

namespace tfm {

/// Maximum number of layers in a stack.
inline constexpr std::int64_t kMaxLayers = 1024;
/// Maximum length of a sequence.
inline constexpr std::int64_t kMaxPositions = 1'000'000;
/// Maximum number of blocks in a layer.
inline constexpr std::int64_t kMaxBlocks = 16;

/// All fields of a config except the layers, in the order of files and forms, bound to `config`.
std::vector<io::Field> configFields(ModelConfig& config);
/// How layers pool, written as one member "pooling" where it is not the usual.
std::vector<io::Field> poolingFields(PoolingConfig& pooling);
/// What happens to the length before a layer, written where something does.
std::vector<io::Field> lengthFields(LayerConfig& layer);

}  // namespace tfm

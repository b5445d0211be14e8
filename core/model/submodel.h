// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "core/model/model_config.h"

namespace tfm {

/// A part of a model that is a model itself (MatFormer: Devvrit et al. 2023, section 3): of each
/// feed-forward its first entries, of each layer's attentions their first heads; everything else is
/// shared. One entry a layer, the encoder's layers before the decoder's; empty: all there is.
struct Submodel {
  std::vector<std::int64_t> widths;
  std::vector<std::int64_t> heads;
  auto operator<=>(const Submodel&) const = default;
};

/// Layers of both stacks.
std::int64_t layerCount(const ModelConfig& config);
/// The feed-forward size of each layer, the encoder's before the decoder's; the largest where it
/// has several, 0 where it has none.
std::vector<std::int64_t> fullWidths(const ModelConfig& config);
/// The heads of each layer, likewise; where its attentions have different numbers, the larger one.
std::vector<std::int64_t> fullHeads(const ModelConfig& config);

/// Throws Error naming the layer, its size and what is allowed.
void validate(const ModelConfig& config, const Submodel& submodel);

/// The config of a model that consists of that part alone. Shared layers of which it takes
/// different parts are no longer shared.
ModelConfig configOf(const ModelConfig& config, const Submodel& submodel);

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "core/model/model_config.h"

namespace tfm {

/// A nested submodel (MatFormer: Devvrit et al. 2023, section 3): the first entries of each
/// feed-forward block and the first heads of each layer's attentions; everything else is shared.
/// One entry per layer, encoder layers first; empty: full size.
struct Submodel {
  std::vector<std::int64_t> widths;
  std::vector<std::int64_t> heads;
  auto operator<=>(const Submodel&) const = default;
};

/// The number of layers in both stacks.
std::int64_t layerCount(const ModelConfig& config);
/// The feed-forward width of each layer, encoder layers first: the largest if it has several, 0 if
/// it has none.
std::vector<std::int64_t> fullWidths(const ModelConfig& config);
/// The same for the number of heads of each layer.
std::vector<std::int64_t> fullHeads(const ModelConfig& config);

/// Throws Error naming the layer, its size and what is allowed if the model does not have the
/// submodel.
void validate(const ModelConfig& config, const Submodel& submodel);

/// The config of the submodel as a separate model. Shared layers with different sizes in it are
/// no longer shared. Throws Error as validate().
ModelConfig configOf(const ModelConfig& config, const Submodel& submodel);

}  // namespace tfm

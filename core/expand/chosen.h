// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "core/expand/growth.h"

namespace tfm::expand {

/// Whether a list of indices contains `index`; an empty list contains all.
inline bool picks(const std::vector<std::int64_t>& list, std::int64_t index) {
  return list.empty() || std::ranges::find(list, index) != list.end();
}

/// The chosen stacks that the model has, the encoder first.
inline std::vector<Stack> chosenStacks(const ModelConfig& model, Stacks stacks) {
  std::vector<Stack> chosen;
  if (stacks != Stacks::Decoder && !model.encoder_layers.empty()) chosen.push_back(Stack::Encoder);
  if (stacks != Stacks::Encoder && !model.decoder_layers.empty()) chosen.push_back(Stack::Decoder);
  return chosen;
}

/// Whether a growth of sizes applies to blocks of this kind.
inline bool chooses(const Growth& growth, BlockKind kind) {
  if (kind == BlockKind::SelfAttention)
    return growth.kind != Kind::FeedForward && growth.attentions != Attentions::Cross;
  if (kind == BlockKind::CrossAttention)
    return growth.kind != Kind::FeedForward && growth.attentions != Attentions::Self;
  return growth.kind == Kind::FeedForward;
}

/// Calls visit(stack, layer, block) for all blocks that a growth of sizes chooses, in the order of
/// Submodel::widths. Config: a ModelConfig, const or not.
template <class Config, class Visit>
void forEachChosenBlock(Config& config, const Growth& growth, const Visit& visit) {
  for (const Stack stack : chosenStacks(config, growth.stacks)) {
    auto& layers = config.layers(stack);
    for (std::size_t i = 0; i < layers.size(); ++i)
      for (auto& block : layers[i].blocks)
        if (picks(growth.layers, std::int64_t(i)) && chooses(growth, block.kind()))
          visit(stack, std::int64_t(i), block);
  }
}

/// The stored size and the sizes per head of an attention. Sizes: an AttentionSizes, const or not.
template <class Sizes>
auto headSizes(Sizes& sizes, Kind kind) {
  return kind == Kind::KeySize ? std::tie(sizes.key_size, sizes.key_sizes)
                               : std::tie(sizes.value_size, sizes.value_sizes);
}

}  // namespace tfm::expand

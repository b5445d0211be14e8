// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/expand/kinds.h"

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

/// Whether a growth of sizes applies to a block.
inline bool chooses(const Growth& growth, const BlockConfig& block) {
  return growth.attentions == Attentions::All ||
         (growth.attentions == Attentions::Cross) == block.attendsToMemory();
}

/// Calls visit(stack, layer, block, size) for all sizes of blocks that a growth chooses, in the
/// order of Submodel::widths.
template <class Visit>
void forEachChosenSize(ModelConfig& config, const Growth& growth, const Visit& visit) {
  const std::optional<Axis> axis = rowOf(growth.kind).axis;
  for (const Stack stack : chosenStacks(config, growth.stacks)) {
    std::vector<LayerConfig>& layers = config.layers(stack);
    for (std::size_t i = 0; i < layers.size(); ++i) {
      if (!picks(growth.layers, std::int64_t(i))) continue;
      for (BlockConfig& block : layers[i].blocks) {
        if (!chooses(growth, block)) continue;
        for (const BlockSize& size : block.growable())
          if (size.axis == axis) visit(stack, std::int64_t(i), block, size);
      }
    }
  }
}

}  // namespace tfm::expand

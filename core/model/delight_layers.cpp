// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/delight_layers.h"

#include <algorithm>

namespace tfm {

void setDelightLayers(ModelConfig& config, std::int64_t encoder_layers, std::int64_t decoder_layers,
                      const DelightScaling& scaling) {
  const std::int64_t half = config.hidden / 2;
  const auto fill = [&](Stack stack, std::int64_t count) {
    std::vector<LayerConfig>& layers = config.layers(stack);
    layers.clear();
    for (const DextraScale& scale :
         blockwiseScaling(scaling.least, scaling.most, scaling.width, count)) {
      LayerConfig layer{{{DelightAttention{.depth = scale.depth, .width = scale.width}}}};
      if (stack == Stack::Decoder && config.hasCrossAttention())
        layer.blocks.push_back({CrossAttention{{1, half, half}}});
      layer.blocks.push_back({FeedForward{std::max<std::int64_t>(1, config.hidden / 4)}});
      layers.push_back(std::move(layer));
    }
  };
  fill(Stack::Encoder, encoder_layers);
  fill(Stack::Decoder, decoder_layers);
}

}  // namespace tfm

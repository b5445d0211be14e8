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

std::optional<DelightScaling> delightScaling(const ModelConfig& config) {
  const auto& layers = config.encoder_layers.size() > config.decoder_layers.size()
                           ? config.encoder_layers
                           : config.decoder_layers;
  std::optional<DelightScaling> scaling;
  for (const LayerConfig& layer : layers)
    if (const auto* unit = layer.first<DelightAttention>()) {
      if (!scaling) scaling = DelightScaling{unit->depth, unit->depth, unit->width};
      scaling->most = unit->depth;
    }
  return scaling;
}

void rescaleDelight(ModelConfig& config, const DelightScaling& scaling) {
  for (const Stack stack : {Stack::Encoder, Stack::Decoder}) {
    std::vector<LayerConfig>& layers = config.layers(stack);
    const std::vector<DextraScale> scales =
        blockwiseScaling(scaling.least, scaling.most, scaling.width, std::int64_t(layers.size()));
    for (std::size_t i = 0; i < layers.size(); ++i)
      if (layers[i].repeats) {
        layers[i].blocks = layers[i - 1].blocks;
      } else if (auto* unit = layers[i].first<DelightAttention>()) {
        unit->depth = scales[i].depth;
        unit->width = scales[i].width;
      }
  }
}

}  // namespace tfm

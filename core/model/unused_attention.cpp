// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/unused_attention.h"

namespace tfm {

void alignUnusedAttention(ModelConfig& config) {
  const auto align = [](std::vector<LayerConfig>& layers) {
    for (LayerConfig& layer : layers) layer.cross_attention = layer.self_attention;
  };
  align(config.encoder_layers);
  if (!config.hasCrossAttention()) align(config.decoder_layers);
}

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_config.h"

#include <algorithm>

namespace tfm {
namespace {

LayerConfig layerOf(const LayerSizes& s) {
  const AttentionSizes attention{s.heads, s.key_size, s.value_size};
  return {attention, attention, s.feed_forward, s.norm_eps, s.norm_eps, s.norm_eps};
}

}  // namespace

std::vector<LayerConfig> uniformLayers(std::int64_t count, const LayerSizes& sizes) {
  return std::vector<LayerConfig>(std::size_t(std::max<std::int64_t>(0, count)), layerOf(sizes));
}

void setUniform(ModelConfig& config, std::int64_t encoder_layers, std::int64_t decoder_layers,
                const LayerSizes& sizes) {
  config.encoder_layers = uniformLayers(encoder_layers, sizes);
  config.decoder_layers = uniformLayers(decoder_layers, sizes);
  config.embedding_norm_eps = sizes.norm_eps;
  config.encoder_final_norm_eps = sizes.norm_eps;
  config.decoder_final_norm_eps = sizes.norm_eps;
}

std::optional<LayerSizes> uniformSizes(const ModelConfig& config) {
  const auto& some = config.encoder_layers.empty() ? config.decoder_layers : config.encoder_layers;
  if (some.empty()) return std::nullopt;
  const LayerConfig& first = some.front();
  const LayerSizes sizes{first.self_attention.heads, first.self_attention.key_size,
                         first.self_attention.value_size, first.feed_forward,
                         first.self_attention_norm_eps};
  const LayerConfig expected = layerOf(sizes);
  const auto same = [&](const LayerConfig& layer) { return layer == expected; };
  const bool alike =
      std::all_of(config.encoder_layers.begin(), config.encoder_layers.end(), same) &&
      std::all_of(config.decoder_layers.begin(), config.decoder_layers.end(), same) &&
      config.embedding_norm_eps == sizes.norm_eps &&
      config.encoder_final_norm_eps == sizes.norm_eps &&
      config.decoder_final_norm_eps == sizes.norm_eps;
  return alike ? std::optional(sizes) : std::nullopt;
}

}  // namespace tfm

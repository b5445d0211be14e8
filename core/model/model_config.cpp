// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_config.h"

#include <algorithm>

namespace tfm {

bool ModelConfig::sharesLayers() const {
  const auto any = [](const std::vector<LayerConfig>& layers) {
    return std::ranges::any_of(layers, &LayerConfig::repeats);
  };
  return share_layers || any(encoder_layers) || any(decoder_layers);
}

std::int64_t ModelConfig::holderOf(Stack stack, std::int64_t layer) const {
  if (share_layers) return 0;
  while (layer > 0 && layers(stack)[std::size_t(layer)].repeats) --layer;
  return layer;
}

void ModelConfig::unshareLayers() {
  share_layers = false;
  for (auto* stack : {&encoder_layers, &decoder_layers})
    for (LayerConfig& layer : *stack) layer.repeats = false;
}

bool ModelConfig::changesLength() const {
  return std::ranges::any_of(
      encoder_layers, [](const LayerConfig& layer) { return layer.before != LengthChange::None; });
}

std::vector<std::int64_t> layerLengths(const ModelConfig& config, Stack stack,
                                       std::int64_t length) {
  std::vector<std::int64_t> lengths;
  std::int64_t now = length;
  for (const LayerConfig& layer : config.layers(stack)) {
    if (layer.before == LengthChange::Pool && now >= config.pooling.shortest())
      now = config.pooling.of(now).pooledLength();
    if (layer.before == LengthChange::Upsample) now = length;
    lengths.push_back(now);
  }
  return lengths;
}

std::int64_t encodedLength(const ModelConfig& config, std::int64_t length) {
  const std::vector<std::int64_t> lengths = layerLengths(config, Stack::Encoder, length);
  return lengths.empty() ? length : lengths.back();
}

std::int64_t* LayerSizes::along(Axis axis) {
  switch (axis) {
    case Axis::Head:
      return &heads;
    case Axis::Query:
      return &group;
    case Axis::Key:
      return &key_size;
    case Axis::Value:
      return &value_size;
    case Axis::FeedForward:
      return &feed_forward;
    default:
      return nullptr;
  }
}

BlockConfig blockOf(const AnyBlock& kind, LayerSizes sizes) {
  BlockConfig block{kind, sizes.norm_eps};
  for (const BlockSize& size : block.growable())
    if (const std::int64_t* given = sizes.along(size.axis)) *size.value = *given;
  return block;
}

LayerConfig defaultLayer(const ModelConfig& config, Stack stack, const LayerSizes& sizes) {
  const std::int64_t window = stack == Stack::Decoder ? sizes.window : 0;
  LayerConfig layer{{blockOf(SelfAttention{.sizes = {}, .window = window}, sizes)}};
  if (config.architecture == Architecture::Attention) return layer;
  if (stack == Stack::Decoder && config.hasCrossAttention())
    layer.blocks.push_back(blockOf(CrossAttention{}, sizes));
  layer.blocks.push_back(blockOf(FeedForward{}, sizes));
  return layer;
}

void setUniform(ModelConfig& config, std::int64_t encoder_layers, std::int64_t decoder_layers,
                const LayerSizes& sizes) {
  const auto layers = [&](Stack stack, std::int64_t count) {
    config.layers(stack).assign(std::size_t(std::max<std::int64_t>(0, count)),
                                defaultLayer(config, stack, sizes));
  };
  layers(Stack::Encoder, encoder_layers);
  layers(Stack::Decoder, decoder_layers);
  config.embedding_norm_eps = sizes.norm_eps;
  config.encoder_final_norm_eps = sizes.norm_eps;
  config.decoder_final_norm_eps = sizes.norm_eps;
}

void setFunnelLayers(ModelConfig& config, std::span<const FunnelBlock> blocks,
                     std::int64_t decoder_layers) {
  std::vector<LayerConfig>& layers = config.encoder_layers;
  const LayerConfig usual = layers.front();
  layers.clear();
  const auto append = [&](const FunnelBlock& block, LengthChange before) {
    for (std::int64_t i = 0; i < block.layers * block.runs; ++i) {
      layers.push_back(usual);
      layers.back().repeats = i % block.runs > 0;
      if (i == 0) layers.back().before = before;
    }
  };
  for (const FunnelBlock& block : blocks)
    append(block, layers.empty() ? LengthChange::None : LengthChange::Pool);
  append({decoder_layers}, LengthChange::Upsample);
}

std::optional<LayerSizes> uniformSizes(const ModelConfig& config) {
  const auto& some = config.encoder_layers.empty() ? config.decoder_layers : config.encoder_layers;
  if (some.empty()) return std::nullopt;
  LayerSizes sizes;
  sizes.norm_eps = config.embedding_norm_eps;
  for (BlockConfig block : some.front().blocks)
    for (const BlockSize& size : block.growable())
      if (std::int64_t* common = sizes.along(size.axis)) *common = *size.value;
  if (!config.decoder_layers.empty())
    if (const auto* attention = config.decoder_layers.front().first<SelfAttention>())
      sizes.window = attention->window;
  ModelConfig uniform = config;
  setUniform(uniform, std::ssize(config.encoder_layers), std::ssize(config.decoder_layers), sizes);
  return uniform == config ? std::optional(sizes) : std::nullopt;
}

}  // namespace tfm

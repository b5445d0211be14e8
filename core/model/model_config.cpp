// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_config.h"

#include <algorithm>
#include <tuple>

namespace tfm {

const AttentionSizes* attentionOf(const BlockConfig& block) {
  if (const auto* self = std::get_if<SelfAttention>(&block.f)) return &self->sizes;
  const auto* cross = std::get_if<CrossAttention>(&block.f);
  return cross == nullptr ? nullptr : &cross->sizes;
}
AttentionSizes* attentionOf(BlockConfig& block) {
  return const_cast<AttentionSizes*>(attentionOf(std::as_const(block)));
}

BlockConfig blockOf(BlockKind kind, const LayerSizes& s) {
  const AttentionSizes attention{s.heads, s.key_size, s.value_size};
  if (kind == BlockKind::SelfAttention) return {SelfAttention{attention}, s.norm_eps};
  if (kind == BlockKind::CrossAttention) return {CrossAttention{attention}, s.norm_eps};
  return {FeedForward{s.feed_forward}, s.norm_eps};
}

LayerConfig defaultLayer(const ModelConfig& config, Stack stack, const LayerSizes& sizes) {
  LayerConfig layer{{blockOf(BlockKind::SelfAttention, sizes)}};
  if (config.architecture == Architecture::Attention) return layer;
  if (stack == Stack::Decoder && config.hasCrossAttention())
    layer.blocks.push_back(blockOf(BlockKind::CrossAttention, sizes));
  layer.blocks.push_back(blockOf(BlockKind::FeedForward, sizes));
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

std::optional<LayerSizes> uniformSizes(const ModelConfig& config) {
  const auto& some = config.encoder_layers.empty() ? config.decoder_layers : config.encoder_layers;
  if (some.empty()) return std::nullopt;
  LayerSizes sizes;
  sizes.norm_eps = config.embedding_norm_eps;
  for (const BlockConfig& block : some.front().blocks) {
    if (const AttentionSizes* a = attentionOf(block))
      std::tie(sizes.heads, sizes.key_size, sizes.value_size) =
          std::tie(a->heads, a->key_size, a->value_size);
    if (const auto* f = std::get_if<FeedForward>(&block.f)) sizes.feed_forward = f->width;
  }
  ModelConfig uniform = config;
  setUniform(uniform, std::ssize(config.encoder_layers), std::ssize(config.decoder_layers), sizes);
  return uniform == config ? std::optional(sizes) : std::nullopt;
}

}  // namespace tfm

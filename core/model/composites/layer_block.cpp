// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/composites/model_builder.h"
#include "core/program/ops/ops.h"

namespace tfm {
namespace {

/// One sub-layer with its residual and norm: x + f(norm(x)) or norm(x + f(x)).
template <class SubLayer>
TensorId residual(ModelBuilder& m, const Place& layer, Site site, BlockKind kind, double eps,
                  TensorId x, SubLayer f) {
  site.kind = kind;
  m.program.enter(site);
  const Place block = layer.sub(blockName(kind));
  const Place norm = layer.sub(std::string(blockName(kind)) + "_norm", ParameterPart::Norm);
  const auto dropped = [&](TensorId y) {
    return ops::dropout(m.program, block.path + "_dropout", y, m.config.residual_dropout);
  };
  const std::string sum = block.path + "_residual";
  if (m.config.norm_placement == NormPlacement::Pre)
    return ops::add(m.program, sum, x, dropped(f(block, normMap(m, norm, x, eps))));
  return normMap(m, norm, ops::add(m.program, sum, x, dropped(f(block, x))), eps);
}

/// x + gate (y - x) where the layer has a gate, else y.
TensorId gated(ModelBuilder& m, const Place& place, const LayerConfig& layer, TensorId x,
               TensorId y) {
  if (!layer.gated) return y;
  const Place gate = place.sub(ParameterPart::Gate);
  return ops::gate(m.program, place.path + ".gated", x, y,
                   m.program.parameter(gate.parameters, {{{Axis::Layer, 1}}}, {}, gate.part));
}

}  // namespace

TensorId layerBlock(ModelBuilder& m, const Place& place, const Site& site, const LayerConfig& layer,
                    const LayerConfig& part, TensorId x, Rows rows, TensorId pad, bool causal,
                    const Memory& memory) {
  const Dimension hidden{{Axis::Hidden, m.config.hidden}};
  const TensorId before = x;
  Site at = site;
  at.block = 0;
  x = residual(m, place, at, BlockKind::SelfAttention, layer.self_attention_norm_eps, x,
               [&](const Place& block, TensorId y) {
                 const Memory itself{y, pad, rows.length, m.config.hidden, hidden};
                 return attentionBlock(m, block, y, rows, itself, layer.self_attention,
                                       part.self_attention.heads, causal);
               });
  ++at.block;
  if (memory.states != kNoTensor) {
    x = residual(m, place, at, BlockKind::CrossAttention, layer.cross_attention_norm_eps, x,
                 [&](const Place& block, TensorId y) {
                   return attentionBlock(m, block, y, rows, memory, layer.cross_attention,
                                         part.cross_attention.heads, false);
                 });
    ++at.block;
  }
  x = residual(m, place, at, BlockKind::FeedForward, layer.feed_forward_norm_eps, x,
               [&](const Place& block, TensorId y) {
                 return feedForwardBlock(m, block, y, layer.feed_forward, part.feed_forward);
               });
  m.program.enter(site);
  return gated(m, place, layer, before, x);
}

TensorId stackBlock(ModelBuilder& m, Stack stack, Rows rows, TensorId pad, const Memory& memory) {
  const bool decoder = stack == Stack::Decoder;
  const auto& layers = decoder ? m.config.decoder_layers : m.config.encoder_layers;
  const auto& parts = decoder ? m.part.decoder_layers : m.part.encoder_layers;
  const Place place = placeOf(stack);
  m.program.enter({stack});
  TensorId x = inputBlock(m, stack, rows);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::string own = std::to_string(i);
    const std::string holder = m.config.share_layers ? "0" : own;
    x = layerBlock(m, {place.path + ".layers." + own, place.path + ".layers." + holder},
                   {stack, std::int64_t(i)}, layers[i], parts[i], x, rows, pad, decoder, memory);
  }
  m.program.enter({stack});
  if (!m.config.final_norm) return x;
  return normMap(m, place.sub(ParameterPart::FinalNorm), x,
                 decoder ? m.config.decoder_final_norm_eps : m.config.encoder_final_norm_eps);
}

}  // namespace tfm

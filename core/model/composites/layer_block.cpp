// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/composites/model_builder.h"
#include "core/program/ops/ops.h"

namespace tfm {
namespace {

/// One sub-layer with its residual and norm: x + f(norm(x)) or norm(x + f(x)).
template <class SubLayer>
TensorId residual(ModelBuilder& m, const Place& layer, const std::string& name, double eps,
                  TensorId x, SubLayer f) {
  const Place norm = layer.sub(name + "_norm");
  const auto dropped = [&](TensorId y) {
    return ops::dropout(m.program, layer.path + "." + name + "_dropout", y,
                        m.config.residual_dropout);
  };
  const std::string sum = layer.path + "." + name + "_residual";
  if (m.config.norm_placement == NormPlacement::Pre)
    return ops::add(m.program, sum, x, dropped(f(normMap(m, norm, x, eps))));
  return normMap(m, norm, ops::add(m.program, sum, x, dropped(f(x))), eps);
}

/// x + gate (y - x) where the layer has a gate, else y.
TensorId gated(ModelBuilder& m, const Place& place, const LayerConfig& layer, TensorId x,
               TensorId y) {
  if (!layer.gated) return y;
  const TensorId gate = m.program.parameter(place.parameters + ".gate", {{{Axis::Layer, 1}}}, {});
  return ops::gate(m.program, place.path + ".gated", x, y, gate);
}

}  // namespace

TensorId layerBlock(ModelBuilder& m, const Place& place, const LayerConfig& layer,
                    const LayerConfig& part, TensorId x, Rows rows, TensorId pad, bool causal,
                    const Memory& memory) {
  const Dimension hidden{{Axis::Hidden, m.config.hidden}};
  const TensorId before = x;
  x = residual(m, place, "self_attention", layer.self_attention_norm_eps, x, [&](TensorId y) {
    const Memory itself{y, pad, rows.length, m.config.hidden, hidden};
    return attentionBlock(m, place.sub("self_attention"), y, rows, itself, layer.self_attention,
                          part.self_attention.heads, causal);
  });
  if (memory.states != kNoTensor)
    x = residual(m, place, "cross_attention", layer.cross_attention_norm_eps, x, [&](TensorId y) {
      return attentionBlock(m, place.sub("cross_attention"), y, rows, memory, layer.cross_attention,
                            part.cross_attention.heads, false);
    });
  x = residual(m, place, "feed_forward", layer.feed_forward_norm_eps, x, [&](TensorId y) {
    return feedForwardBlock(m, place.sub("feed_forward"), y, layer.feed_forward, part.feed_forward);
  });
  return gated(m, place, layer, before, x);
}

TensorId stackBlock(ModelBuilder& m, const std::string& stack, Rows rows, TensorId pad,
                    const Memory& memory) {
  const bool decoder = stack == "decoder";
  const auto& layers = decoder ? m.config.decoder_layers : m.config.encoder_layers;
  const auto& parts = decoder ? m.part.decoder_layers : m.part.encoder_layers;
  TensorId x = inputBlock(m, stack, rows);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::string own = std::to_string(i);
    const std::string holder = m.config.share_layers ? "0" : own;
    x = layerBlock(m, {stack + ".layers." + own, stack + ".layers." + holder}, layers[i], parts[i],
                   x, rows, pad, decoder, memory);
  }
  if (!m.config.final_norm) return x;
  const std::string path = stack + ".final_norm";
  return normMap(m, {path, path}, x,
                 decoder ? m.config.decoder_final_norm_eps : m.config.encoder_final_norm_eps);
}

}  // namespace tfm

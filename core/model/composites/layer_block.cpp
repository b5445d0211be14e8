// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/model/composites/model_builder.h"
#include "core/program/ops/ops.h"

namespace tfm {
namespace {

/// "self_attention"; a second block of its kind in a layer is "self_attention2".
std::string nameIn(const LayerConfig& layer, std::size_t number) {
  const BlockKind kind = layer.blocks[number].kind();
  const auto before = std::ranges::count(layer.blocks.begin(), layer.blocks.begin() + number, kind,
                                         &BlockConfig::kind);
  return std::string(kind.name) + (before > 0 ? std::to_string(before + 1) : "");
}

/// A block with its residual and norm: x + f(norm(x)) or norm(x + f(x)).
template <class Block>
TensorId residual(ModelBuilder& m, const Place& layer, const std::string& name, double eps,
                  TensorId x, Block f) {
  const Place place = layer.sub(name);
  const Place norm = layer.sub(name + "_norm", ParameterPart::Norm);
  const auto dropped = [&](TensorId y) {
    return ops::dropout(m.program, place.path + "_dropout", y, m.config.residual_dropout);
  };
  const std::string sum = place.path + "_residual";
  if (m.config.norm_placement == NormPlacement::Pre)
    return ops::add(m.program, sum, x, dropped(f(place, normMap(m, norm, x, eps))));
  return normMap(m, norm, ops::add(m.program, sum, x, dropped(f(place, x))), eps);
}

/// x + gate (y - x) if the layer has a gate, otherwise y.
TensorId gated(ModelBuilder& m, const Place& place, const LayerConfig& layer, TensorId x,
               TensorId y) {
  if (!layer.gated) return y;
  const Place gate = place.sub(ParameterPart::Gate);
  return ops::gate(m.program, place.path + ".gated", x, y,
                   m.program.parameter(gate.parameters, {{{Axis::Layer, 1}}}, {}, gate.part));
}

}  // namespace

TensorId block(ModelBuilder& m, const Place& place, const BlockConfig& whole,
               const BlockConfig& part, TensorId x, const BlockContext& around) {
  const auto build = [&]<class Kind>(const Kind& kind) {
    return kind.build(m, place, std::get<Kind>(part.f), x, around);
  };
  return std::visit(build, whole.f);
}

TensorId layerBlock(ModelBuilder& m, const Place& place, const Site& site, const LayerConfig& layer,
                    const LayerConfig& part, TensorId x, const BlockContext& around) {
  TensorId y = x;
  for (std::size_t i = 0; i < layer.blocks.size(); ++i) {
    const BlockConfig& one = layer.blocks[i];
    m.program.enter({site.stack, site.layer, std::int64_t(i), one.kind()});
    const auto append = [&](const Place& at, TensorId states) {
      return block(m, at, one, part.blocks[i], states, around);
    };
    y = residual(m, place, nameIn(layer, i), one.norm_eps, y, append);
  }
  m.program.enter(site);
  return gated(m, place, layer, x, y);
}

StackOutput stackBlock(ModelBuilder& m, Stack stack, Rows rows, TensorId pad,
                       const Memory& memory) {
  const bool decoder = stack == Stack::Decoder;
  const auto& layers = m.config.layers(stack);
  const Place place = placeOf(stack);
  m.program.enter({stack});
  StackOutput now{inputBlock(m, stack, rows), rows, pad};
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::string own = std::to_string(i);
    const std::string holder = std::to_string(m.config.holderOf(stack, std::int64_t(i)));
    now.states = layerBlock(m, {place.path + ".layers." + own, place.path + ".layers." + holder},
                            {stack, std::int64_t(i)}, layers[i], m.part.layers(stack)[i],
                            now.states, {now.rows, now.pad, decoder, memory});
  }
  m.program.enter({stack});
  if (m.config.final_norm)
    now.states =
        normMap(m, place.sub(ParameterPart::FinalNorm), now.states,
                decoder ? m.config.decoder_final_norm_eps : m.config.encoder_final_norm_eps);
  return now;
}

}  // namespace tfm

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

/// A block with its residual and norm: onto + f(norm(x)) or norm(onto + f(x)). `unpooled` is the
/// other argument of f, if it has one, behind the same norm.
template <class Block>
TensorId residual(ModelBuilder& m, const Place& layer, const std::string& name, double eps,
                  TensorId x, TensorId onto, TensorId unpooled, Block f) {
  const Place place = layer.sub(name);
  const Place norm = layer.sub(name + "_norm", ParameterPart::Norm);
  const auto dropped = [&](TensorId y) {
    return ops::dropout(m.program, place.path + "_dropout", y, m.config.residual_dropout);
  };
  const std::string sum = place.path + "_residual";
  if (m.config.norm_placement == NormPlacement::Post)
    return normMap(m, norm, ops::add(m.program, sum, onto, dropped(f(place, x, unpooled))), eps);
  if (unpooled != kNoTensor)
    unpooled = normMap(m, {norm.path + "_unpooled", norm.parameters, norm.part}, unpooled, eps);
  return ops::add(m.program, sum, onto, dropped(f(place, normMap(m, norm, x, eps), unpooled)));
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
    const auto append = [&](const Place& at, TensorId states, TensorId unpooled) {
      BlockContext own = around;
      own.unpooled.states = unpooled;
      return block(m, at, one, part.blocks[i], states, own);
    };
    y = residual(m, place, nameIn(layer, i), one.norm_eps, m.config.parallel_blocks ? x : y, y,
                 i == 0 ? around.unpooled.states : kNoTensor, append);
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
  const Dimension hidden{{Axis::Hidden, m.config.hidden}};
  StackOutput now{inputBlock(m, stack, rows), rows, pad}, whole = now;
  std::int64_t shortened = 1;  // positions that one stands for, if all poolings took place
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::string own = std::to_string(i);
    const std::string holder = std::to_string(m.config.holderOf(stack, std::int64_t(i)));
    const Place at{place.path + ".layers." + own, place.path + ".layers." + holder};
    const Site site{stack, std::int64_t(i)};
    const StackOutput before = now;
    m.program.enter(site);
    if (layers[i].before == LengthChange::Pool) {
      now = poolBlock(m, at, before);
      if (shortened == 1) whole = before;
      shortened *= 2;
    }
    if (layers[i].before == LengthChange::Upsample)
      now = upsampleBlock(m, at, before, whole, shortened);
    BlockContext around{now.rows, now.pad, decoder, memory, {}, now.stride};
    if (layers[i].before == LengthChange::Pool && m.config.pooling.queries_only &&
        now.states != before.states)
      around.unpooled = {before.states, before.pad, before.rows.length, m.config.hidden, hidden};
    now.states = layerBlock(m, at, site, layers[i], m.part.layers(stack)[i], now.states, around);
  }
  m.program.enter({stack});
  if (m.config.final_norm)
    now.states =
        normMap(m, place.sub(ParameterPart::FinalNorm), now.states,
                decoder ? m.config.decoder_final_norm_eps : m.config.encoder_final_norm_eps);
  return now;
}

}  // namespace tfm

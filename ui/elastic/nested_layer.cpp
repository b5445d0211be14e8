// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/nested_layer.h"

#include <QCoreApplication>
#include <algorithm>

#include "core/base/check.h"

namespace tfm::ui {
namespace {

struct LayerText {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::NestedLayer)
};

const ParameterInfo& matrixOf(const ModelState& state, Stack stack, std::size_t layer,
                              ParameterPart part) {
  const auto is = [&](const ParameterInfo& p) {
    const Site& site = p.tag.site;
    return site.stack == stack && site.layer == std::int64_t(layer) && p.tag.part == part &&
           p.tag.term == Term::Weight;
  };
  const auto found = std::ranges::find_if(state.layout.parameters, is);
  check(found != state.layout.parameters.end(), "every layer has a feed-forward");
  return *found;
}

}  // namespace

QStringList layerNames(const ModelConfig& config) {
  QStringList names;
  for (std::size_t i = 0; i < config.encoder_layers.size(); ++i)
    names << LayerText::tr("encoder layer %1").arg(i + 1);
  for (std::size_t i = 0; i < config.decoder_layers.size(); ++i)
    names << LayerText::tr("decoder layer %1").arg(i + 1);
  return names;
}

NestedLayer nestedLayer(const ModelState& state, std::size_t layer) {
  const std::size_t encoder = state.config.encoder_layers.size();
  const Stack stack = layer < encoder ? Stack::Encoder : Stack::Decoder;
  const std::size_t own = layer < encoder ? layer : layer - encoder;
  const auto inside = std::size_t(state.config.holderOf(stack, std::int64_t(own)));
  const ParameterInfo& first = matrixOf(state, stack, inside, ParameterPart::Linear1);
  const ParameterInfo& second = matrixOf(state, stack, inside, ParameterPart::Linear2);
  NestedLayer out;
  out.name = layerNames(state.config)[qsizetype(layer)];
  out.units = int(first.rows());
  out.hidden = int(first.cols());
  check(second.rows() == first.cols() && second.cols() == first.rows(),
        "linear2 has the transposed shape of linear1");
  const float* all = state.parameters.data();
  out.reads.resize(std::size_t(first.size()));
  for (int unit = 0; unit < out.units; ++unit)
    for (int h = 0; h < out.hidden; ++h)
      out.reads[std::size_t(h) * std::size_t(out.units) + std::size_t(unit)] =
          all[first.offset + std::int64_t(unit) * out.hidden + h];
  out.writes.assign(all + second.offset, all + second.offset + second.size());
  return out;
}

}  // namespace tfm::ui

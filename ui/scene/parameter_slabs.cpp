// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/parameter_slabs.h"

#include <QCoreApplication>
#include <algorithm>
#include <span>

#include "ui/growth/parameter_caption.h"
#include "ui/scene/matrix_wall.h"

namespace tfm::ui {
namespace {

struct Text {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::ParameterSlabs)
};

/// The row of a parameter in the scene: every layer is a row, inputs come before the first layer of
/// their stack.
int rowOf(const ModelConfig& model, const Site& site) {
  const int encoder = int(model.encoder_layers.size());
  if (site == Site{}) return encoder + int(model.decoder_layers.size()) + 2;
  const int first = site.stack == Stack::Decoder && encoder > 0 ? encoder + 1 : 0;
  return first + 1 + int(site.layer);
}

/// The number of cells per head along a dimension; 0 without heads.
int stripeOf(const Dimension& dimension) {
  const bool heads = dimension.factors.size() > 1 && dimension.factors.front().axis == Axis::Head;
  return heads ? int(dimension.size() / dimension.factors.front().size) : 0;
}

/// The slab of a parameter. A bias is a column beside its matrix, since its numbers belong to the
/// matrix's rows; gain and shift of a norm are side by side.
MatrixSlab slabOf(const ModelConfig& model, const ParameterInfo& p) {
  const auto& [site, part, term] = p.tag;
  MatrixSlab slab;
  slab.name = QString::fromStdString(p.name);
  slab.layer = rowOf(model, site);
  const bool embeds = part == ParameterPart::Embedding || part == ParameterPart::EmbeddingNorm;
  // The first slab of a row names the row.
  slab.group = embeds || site.block == 0 ? placedGroup(p.tag) : groupWords(p.tag);
  if (p.tag.ofNorm())
    slab.label = term == Term::Gain ? Text::tr("norm") : Text::tr("bias");
  else
    slab.label = term == Term::Bias ? Text::tr("bias") : partWords(part);
  slab.alone = term == Term::Gain;
  const bool vector = p.shape.size() == 1;
  slab.rows = int(vector ? p.cols() : p.rows());
  slab.cols = int(vector ? 1 : p.cols());
  slab.row_axis = axisText(p.shape.front());
  slab.col_axis = vector ? QString() : axisText(p.shape.back());
  slab.row_stripe = stripeOf(p.shape.front());
  slab.col_stripe = vector ? 0 : stripeOf(p.shape.back());
  slab.values.assign(std::size_t(p.size()), 0.0F);
  return slab;
}

}  // namespace

std::vector<MatrixSlab> parameterSlabs(const ModelConfig& model, const ParameterLayout& layout) {
  std::vector<MatrixSlab> slabs;
  for (const ParameterInfo& p : layout.parameters) slabs.push_back(slabOf(model, p));
  return slabs;
}

std::vector<MatrixSlab> parameterSlabsInBlocks(const ModelConfig& model,
                                               const ParameterLayout& layout) {
  std::vector<MatrixSlab> slabs = parameterSlabs(model, layout);
  for (std::size_t i = 0; i < slabs.size(); ++i) {
    const ParameterInfo& p = layout.parameters[i];
    const AxisSize& outer = p.shape.front().factors.front();
    if (p.shape.size() == 2 && outer.axis == Axis::Group) slabs[i].groups = int(outer.size);
  }
  return slabs;
}

void setUnpaired(MatrixWall& wall, const ParameterLayout& layout,
                 const std::vector<ParameterInfo>& unpaired) {
  std::vector<bool> flags;
  const auto is = [&](const ParameterInfo& p) {
    return std::ranges::find(unpaired, p.name, &ParameterInfo::name) != unpaired.end();
  };
  if (!unpaired.empty())
    for (const ParameterInfo& p : layout.parameters) flags.push_back(is(p));
  wall.setUnpaired(std::move(flags));
}

void setParameter(MatrixWall& wall, int slab, const ModelState& state, std::size_t parameter) {
  const ParameterInfo& p = state.layout.parameters[parameter];
  wall.setValues(slab, std::span<const float>(state.parameters)
                           .subspan(std::size_t(p.offset), std::size_t(p.size())));
}

void setParameters(MatrixWall& wall, const ModelState& state) {
  for (std::size_t i = 0; i < state.layout.parameters.size(); ++i)
    setParameter(wall, int(i), state, i);
}

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/parameter_slabs.h"

#include <QCoreApplication>
#include <algorithm>
#include <span>

#include "ui/growth/model_plan.h"
#include "ui/growth/parameter_caption.h"
#include "ui/scene/matrix_wall.h"

namespace tfm::ui {
namespace {

struct Text {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::ParameterSlabs)
};

/// The number of cells per head along a dimension; 0 without heads.
int stripeOf(const Dimension& dimension) {
  const bool heads = dimension.factors.size() > 1 && dimension.factors.front().axis == Axis::Head;
  return heads ? int(dimension.size() / dimension.factors.front().size) : 0;
}

/// The slab of a parameter. A bias is a column beside its matrix, since its numbers belong to the
/// matrix's rows; gain and shift of a norm are side by side.
MatrixSlab slabOf(const ParameterInfo& p) {
  const ParameterPart& part = p.tag.part;
  const Term term = p.tag.term;
  MatrixSlab slab;
  slab.name = QString::fromStdString(p.name);
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
  slab.values = SharedNumbers::zeros(std::size_t(p.size()));
  return slab;
}

}  // namespace

std::vector<MatrixSlab> parameterSlabs(std::span<const ParameterInfo> parameters) {
  std::vector<MatrixSlab> slabs;
  std::vector<ParameterTag> tags;
  for (const ParameterInfo& p : parameters) {
    slabs.push_back(slabOf(p));
    tags.push_back(p.tag);
  }
  const std::vector<PlanPlace> places = planPlaces(tags);
  for (std::size_t i = 0; i < slabs.size(); ++i) {
    slabs[i].site = places[i].site;
    slabs[i].group = places[i].title;
  }
  return slabs;
}

std::vector<MatrixSlab> parameterSlabsInBlocks(const ParameterLayout& layout) {
  std::vector<MatrixSlab> slabs = parameterSlabs(layout.parameters);
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

void setParameter(MatrixWall& wall, int slab, const std::shared_ptr<const ModelState>& state,
                  std::size_t parameter) {
  const ParameterInfo& p = state->layout.parameters[parameter];
  wall.setValues(slab, {state, std::span<const float>(state->parameters)
                                   .subspan(std::size_t(p.offset), std::size_t(p.size()))});
}

void setParameters(MatrixWall& wall, const std::shared_ptr<const ModelState>& state) {
  for (std::size_t i = 0; i < state->layout.parameters.size(); ++i)
    setParameter(wall, int(i), state, i);
}

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/parameter_slabs.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <span>

#include "ui/growth/parameter_caption.h"
#include "ui/scene/matrix_wall.h"

namespace tfm::ui {
namespace {

struct Text {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::ParameterSlabs)
};

/// Where a parameter stands in the scene: every layer is a row, inputs come before the first layer
/// of their stack.
int rowOf(const ModelConfig& model, const QStringList& path) {
  const int encoder = int(model.encoder_layers.size());
  if (path.front() == "output") return encoder + int(model.decoder_layers.size()) + 2;
  const int first = path.front() == "decoder" && encoder > 0 ? encoder + 1 : 0;
  const bool in_layer = path.size() > 2 && path[1] == "layers";
  return in_layer ? first + 1 + path[2].toInt() : first;
}

/// How many cells along a dimension belong to one head; 0 where there are no heads.
int stripeOf(const Dimension& dimension) {
  const bool heads = dimension.factors.size() > 1 && dimension.factors.front().axis == Axis::Head;
  return heads ? int(dimension.size() / dimension.factors.front().size) : 0;
}

/// "decoder.layers.0.cross_attention.query.weight" as the scene wants it. A bias is a column beside
/// its matrix, as its numbers belong to the matrix's rows; gain and bias of a norm stand together.
MatrixSlab slabOf(const ModelConfig& model, const ParameterInfo& p) {
  MatrixSlab slab;
  slab.name = QString::fromStdString(p.name);
  QStringList path = slab.name.split('.');
  slab.layer = rowOf(model, path);
  QString stack = path.front();
  if (path.size() > 2 && path[1] == "layers") {
    stack += Text::tr(" layer %1:").arg(path[2].toInt() + 1);
    path = path.mid(3);
  } else if (path.front() != "output") {
    path.removeFirst();
  }
  // A gate is a number without a block of its own.
  const QString kind = path.size() > 1 ? path.takeLast() : path.front();
  const bool norm = path.front().endsWith("norm");
  slab.group = QString(path.front()).replace('_', ' ');
  // A norm stands with what it belongs to: "self attention norm" with "self attention".
  if (norm && slab.group.endsWith(" norm")) slab.group.chop(5);
  if (slab.group == "embedding" || slab.group == "self attention")
    slab.group = stack + ' ' + slab.group;  // the first of its row says which row it is
  if (norm)
    slab.label = kind == "weight" ? Text::tr("norm") : Text::tr("bias");
  else
    slab.label = kind == "bias" ? Text::tr("bias") : QString(path.back()).replace('_', ' ');
  slab.alone = norm && kind == "weight";
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

void setUnpaired(MatrixWall& wall, const ParameterLayout& layout,
                 const std::vector<std::string>& names) {
  std::vector<bool> unpaired;
  if (!names.empty())
    for (const ParameterInfo& p : layout.parameters)
      unpaired.push_back(std::ranges::find(names, p.name) != names.end());
  wall.setUnpaired(std::move(unpaired));
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

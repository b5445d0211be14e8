// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/elastic_space.h"

#include <QString>
#include <QStringList>
#include <algorithm>
#include <utility>

#include "ui/scene/matrix_wall.h"
#include "ui/scene/parameter_slabs.h"

namespace tfm::ui {
namespace {

/// What of one dimension is read when so many units and heads are.
int readOf(const Dimension& dimension, std::int64_t width, std::int64_t heads) {
  const AxisSize& outer = dimension.factors.front();
  const std::int64_t rest = dimension.size() / std::max<std::int64_t>(1, outer.size);
  if (outer.axis == Axis::FeedForward) return int(std::min(width, outer.size) * rest);
  if (outer.axis == Axis::Head) return int(std::min(heads, outer.size) * rest);
  return int(dimension.size());
}

/// Shared layers take part of the same parameters: the largest of them counts.
std::int64_t largest(const std::vector<std::int64_t>& sizes, std::size_t first, std::size_t count) {
  const auto from = sizes.begin() + std::ptrdiff_t(first);
  return *std::max_element(from, from + std::ptrdiff_t(count));
}

}  // namespace

std::vector<QSize> readBy(const ModelState& state, const Submodel& submodel) {
  const std::size_t encoder = state.config.encoder_layers.size();
  const std::size_t decoder = state.config.decoder_layers.size();
  std::vector<QSize> sizes;
  for (const ParameterInfo& p : state.layout.parameters) {
    const QStringList path = QString::fromStdString(p.name).split('.');
    const bool vector = p.shape.size() == 1;
    const Dimension& rows = p.shape.front();
    QSize size(vector ? 1 : int(p.cols()), int(rows.size()));
    if (path.size() > 2 && path[1] == "layers" && !submodel.widths.empty()) {
      const bool in_decoder = path.front() == "decoder";
      const std::size_t stack = in_decoder ? encoder : 0;
      const bool shared = state.config.share_layers;
      const std::size_t first = stack + (shared ? 0 : std::size_t(path[2].toInt()));
      const std::size_t count = shared ? (in_decoder ? decoder : encoder) : 1;
      const std::int64_t width = largest(submodel.widths, first, count);
      const std::int64_t heads = largest(submodel.heads, first, count);
      size.setHeight(readOf(rows, width, heads));
      if (!vector) size.setWidth(readOf(p.shape.back(), width, heads));
    }
    sizes.push_back(size);
  }
  return sizes;
}

void showInSpace(MatrixWall& space, const ModelState& state, const Submodel& submodel) {
  std::vector<MatrixSlab> slabs = parameterSlabs(state.config, state.layout);
  if (!sameShapes(space.slabs(), slabs)) space.setSlabs(std::move(slabs));
  setParameters(space, state);
  space.setInside(readBy(state, submodel));
}

}  // namespace tfm::ui

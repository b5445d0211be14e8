// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/elastic_space.h"

#include <QCoreApplication>
#include <QString>
#include <algorithm>
#include <numeric>
#include <utility>

#include "ui/scene/matrix_wall.h"
#include "ui/scene/parameter_slabs.h"

namespace tfm::ui {
namespace {

/// The part of a dimension that is read for this many units and heads.
int readOf(const Dimension& dimension, std::int64_t width, std::int64_t heads) {
  const AxisSize& outer = dimension.factors.front();
  const std::int64_t rest = dimension.size() / std::max<std::int64_t>(1, outer.size);
  if (outer.axis == Axis::FeedForward) return int(std::min(width, outer.size) * rest);
  if (outer.axis == Axis::Head) return int(std::min(heads, outer.size) * rest);
  return int(dimension.size());
}

/// Shared layers use the same parameters: the largest counts.
std::int64_t largest(const std::vector<std::int64_t>& sizes, std::size_t first, std::size_t count) {
  const auto from = sizes.begin() + std::ptrdiff_t(first);
  return *std::max_element(from, from + std::ptrdiff_t(count));
}

/// Vectors are too thin for frames and are beside a framed matrix anyway. Of several frames of one
/// size, the largest granularity is named.
std::vector<SlabFrame> framesOf(const ModelState& state,
                                const std::vector<matformer::Granularity>& granularities,
                                const std::vector<std::size_t>& nested) {
  std::vector<SlabFrame> frames;
  if (granularities.size() < 2) return frames;
  std::vector<std::vector<QSize>> read;
  for (const matformer::Granularity& one : granularities)
    read.push_back(readBy(state, one.submodel));
  for (std::size_t i = 0; i < nested.size(); ++i) {
    const std::size_t parameter = nested[i];
    if (state.layout.parameters[parameter].shape.size() < 2) continue;
    for (std::size_t g = 0; g < granularities.size(); ++g) {
      const QSize& size = read[g][parameter];
      if (g + 1 < granularities.size() && read[g + 1][parameter] == size) continue;
      frames.push_back(
          {int(i), size.height(), size.width(), QString::fromStdString(granularities[g].name)});
    }
  }
  return frames;
}

}  // namespace

std::vector<QSize> readBy(const ModelState& state, const Submodel& submodel) {
  const std::size_t encoder = state.config.encoder_layers.size();
  const std::size_t decoder = state.config.decoder_layers.size();
  std::vector<QSize> sizes;
  for (const ParameterInfo& p : state.layout.parameters) {
    const bool vector = p.shape.size() == 1;
    const Dimension& rows = p.shape.front();
    QSize size(vector ? 1 : int(p.cols()), int(rows.size()));
    if (p.tag.site.layer >= 0 && !submodel.widths.empty()) {
      const bool in_decoder = p.tag.site.stack == Stack::Decoder;
      const std::size_t stack = in_decoder ? encoder : 0;
      const auto layers = std::int64_t(in_decoder ? decoder : encoder);
      const auto first = stack + std::size_t(p.tag.site.layer);
      std::size_t count = 1;
      for (std::int64_t i = p.tag.site.layer + 1; i < layers; ++i)
        if (state.config.holderOf(p.tag.site.stack, i) == p.tag.site.layer) ++count;
      const std::int64_t width = largest(submodel.widths, first, count);
      const std::int64_t heads = largest(submodel.heads, first, count);
      size.setHeight(readOf(rows, width, heads));
      if (!vector) size.setWidth(readOf(p.shape.back(), width, heads));
    }
    sizes.push_back(size);
  }
  return sizes;
}

std::vector<std::size_t> nestedParameters(
    const ModelState& state, const std::vector<matformer::Granularity>& granularities) {
  std::vector<std::size_t> nested(state.layout.parameters.size());
  std::iota(nested.begin(), nested.end(), std::size_t{0});
  if (granularities.size() < 2) return nested;
  const std::vector<QSize> least = readBy(state, granularities.front().submodel);
  const std::vector<QSize> all = readBy(state, granularities.back().submodel);
  std::erase_if(nested, [&](std::size_t i) { return least[i] == all[i]; });
  return nested;
}

void showInSpace(MatrixWall& space, const std::shared_ptr<const ModelState>& shown,
                 const std::vector<matformer::Granularity>& granularities,
                 const Submodel& submodel) {
  const ModelState& state = *shown;
  const std::vector<std::size_t> nested = nestedParameters(state, granularities);
  std::vector<ParameterInfo> parameters;
  for (const std::size_t i : nested) parameters.push_back(state.layout.parameters[i]);
  std::vector<MatrixSlab> slabs = parameterSlabs(parameters);
  if (!sameShapes(space.slabs(), slabs)) space.setSlabs(std::move(slabs));
  for (std::size_t i = 0; i < nested.size(); ++i) setParameter(space, int(i), shown, nested[i]);
  space.setFrames(framesOf(state, granularities, nested));
  fadeOutside(space, state, granularities, submodel);
}

void fadeOutside(MatrixWall& space, const ModelState& state,
                 const std::vector<matformer::Granularity>& granularities,
                 const Submodel& submodel) {
  const std::vector<QSize> read = readBy(state, submodel);
  std::vector<QSize> inside;
  for (const std::size_t i : nestedParameters(state, granularities)) inside.push_back(read[i]);
  space.setInside(std::move(inside));
}

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/growing_wall.h"

#include <algorithm>
#include <utility>

#include "ui/growth/growth_layout.h"

namespace tfm::ui {
namespace {

constexpr float kLift = 0.08f;  // of the wall's height: where new cells start

template <class T>
T mix(const T& a, const T& b, float share) {
  return a + (b - a) * share;
}

std::array<QVector3D, 4> rectangle(const QVector3D& corner, float width, float height) {
  return {corner, corner + QVector3D(width, 0, 0), corner + QVector3D(width, -height, 0),
          corner + QVector3D(0, -height, 0)};
}

/// The first index of a moving span.
float positionOf(const GrowthSpan& span, float slide) {
  const auto at = float(span.at);
  return span.isNew() ? at : mix(float(span.source), at, slide);
}

/// The old indices in front of which new ones are inserted.
std::vector<float> cutsOf(const std::vector<GrowthSpan>& spans) {
  std::vector<float> cuts;
  for (std::size_t i = 0; i + 1 < spans.size(); ++i)
    if (spans[i].isNew() && !spans[i + 1].isNew()) cuts.push_back(float(spans[i + 1].source));
  return cuts;
}

}  // namespace

SlabFace faceOf(const SlabPlace& place) {
  SlabFace face{.rows = place.rows,
                .cols = place.cols,
                .blocks = {},
                .corner = place.corner,
                .width = place.width,
                .height = place.height,
                .depth = place.depth};
  const int rows = place.rows / place.groups;
  for (int row = 0; row < place.rows; row += rows) {
    const auto top = float(row), bottom = float(row + rows);
    const auto left = float(place.firstCol(row)), right = left + float(place.cols);
    face.blocks.push_back({row,
                           0,
                           rows,
                           place.cols,
                           false,
                           {place.point(top, left), place.point(top, right),
                            place.point(bottom, right), place.point(bottom, left)}});
  }
  return face;
}

GrowingWall::GrowingWall(const WallLayout& from, const WallLayout& to,
                         std::vector<GrowingSlab> slabs)
    : from_(from), to_(to), slabs_(std::move(slabs)) {}

float GrowingWall::slide(float progress) { return float(GrowthMoment::at(progress).slide); }

float GrowingWall::appearance(float progress) { return float(GrowthMoment::at(progress).appear); }

QVector3D GrowingWall::moved(std::size_t index, float room) const {
  const int before = slabs_[index].before();
  const QVector3D& to = to_.slabs[index].corner;
  return before < 0 ? to : mix(from_.slabs[std::size_t(before)].corner, to, room);
}

SlabFace GrowingWall::face(std::size_t index, float room, float progress, float lift) const {
  const GrowingSlab& slab = slabs_[index];
  const SlabPlace& to = to_.slabs[index];
  SlabFace face{.rows = to.rows, .cols = to.cols, .blocks = {}, .corner = moved(index, room)};
  const float slid = slide(progress), seen = appearance(progress);
  float cell_width = to.width / float(to.cols);
  float cell_height = to.height / float(to.rows);
  if (slab.before() < 0) {
    face.width = to.width * seen;
    face.height = to.height * seen;
  } else {
    const SlabPlace& from = from_.slabs[std::size_t(slab.before())];
    // Vectors keep their thickness.
    cell_width = mix(from.width / float(from.cols), cell_width, slid);
    cell_height = mix(from.height / float(from.rows), cell_height, slid);
    face.width = cell_width * mix(float(from.cols), float(to.cols), slid);
    face.height = cell_height * mix(float(from.rows), float(to.rows), slid);
  }
  face.depth = to.depth;
  for (const GrowthSpan& row : slab.rows()) {
    for (const GrowthSpan& col : slab.cols()) {
      const bool fresh = slab.before() < 0 || row.isNew() || col.isNew();
      // New cells of an old row are at the row's final place: they appear once it is there.
      const float way = fresh ? 1 : slid;
      const QVector3D corner = face.corner + QVector3D(positionOf(col, way) * cell_width,
                                                       -positionOf(row, way) * cell_height,
                                                       fresh ? lift * (1 - seen) : 0);
      face.blocks.push_back(
          {row.at, col.at, row.count, col.count, fresh,
           rectangle(corner, float(col.count) * cell_width, float(row.count) * cell_height)});
    }
  }
  return face;
}

std::vector<SlabFace> GrowingWall::faces(float room, float progress) const {
  float top = 0, bottom = 0;
  for (const QVector3D& point : to_.outline) {
    top = std::max(top, point.y());
    bottom = std::min(bottom, point.y());
  }
  std::vector<SlabFace> faces;
  for (std::size_t i = 0; i < slabs_.size(); ++i)
    faces.push_back(face(i, room, progress, kLift * (top - bottom)));
  return faces;
}

std::vector<Ghost> GrowingWall::ghosts(float room) const {
  std::vector<Ghost> ghosts;
  for (std::size_t i = 0; i < slabs_.size(); ++i) {
    const GrowingSlab& slab = slabs_[i];
    if (!slab.grows() && slab.before() >= 0) continue;
    const SlabPlace& to = to_.slabs[i];
    Ghost ghost{.before = slab.before(), .after = int(i)};
    ghost.corners = rectangle(moved(i, room), to.width, to.height);
    if (slab.before() >= 0) {
      SlabPlace now = from_.slabs[std::size_t(slab.before())];
      now.corner = ghost.corners[0];
      const auto rows = float(now.rows), cols = float(now.cols);
      for (const float row : cutsOf(slab.rows()))
        ghost.cuts.emplace_back(now.point(row, 0), now.point(row, cols));
      for (const float col : cutsOf(slab.cols()))
        ghost.cuts.emplace_back(now.point(0, col), now.point(rows, col));
    }
    ghosts.push_back(std::move(ghost));
  }
  return ghosts;
}

WallLayout GrowingWall::before(float room) const {
  WallLayout layout = from_;
  layout.groups = to_.groups;
  layout.lane = to_.lane;
  layout.row_gap = to_.row_gap;
  layout.outline = to_.outline;
  for (std::size_t i = 0; i < slabs_.size(); ++i) {
    if (slabs_[i].before() < 0) continue;
    SlabPlace& place = layout.slabs[std::size_t(slabs_[i].before())];
    place.corner = moved(i, room);
    place.label = mix(place.label, to_.slabs[i].label, room);
  }
  return layout;
}

WallLayout GrowingWall::after(float room) const {
  WallLayout layout = to_;
  for (std::size_t i = 0; i < slabs_.size(); ++i) layout.slabs[i].corner = moved(i, room);
  return layout;
}

}  // namespace tfm::ui

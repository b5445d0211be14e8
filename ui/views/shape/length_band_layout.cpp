// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shape/length_band_layout.h"

#include <algorithm>
#include <cmath>

namespace tfm::ui {
namespace {

// Pixels at scale 1.
constexpr double kWidest = 340.0, kNarrowest = 34.0;  // plates
constexpr double kLargestRow = 92.0;
constexpr double kArc = 34.0;
constexpr double kEdge = 8.0;
constexpr double kNumbers = 14.0;  // rows as high as this have gaps between their cells
// Gaps, in widths of a plate; where the length changes there is more to see between plates.
constexpr double kGap = 0.45, kChange = 1.0;

double gapBefore(std::span<const observe::StackStage> stages, std::size_t stage) {
  if (stage == 0) return 0.0;
  return stages[stage].length == stages[stage - 1].length ? kGap : kChange;
}

}  // namespace

QRectF LengthBandLayout::position(std::size_t stage, std::int64_t row) const {
  const CellPlaces& plate = plates[stage];
  return {plate.origin.x(), plate.origin.y() + double(row) * plate.cell_height,
          plate.bounds().width(), plate.cell_height};
}

LengthBandLayout layOutLengthBand(std::span<const observe::StackStage> stages,
                                  const BandRoom& room) {
  LengthBandLayout out;
  out.unit = room.unit;
  if (stages.empty()) return out;
  const double unit = room.unit, edge = kEdge * unit;
  std::int64_t longest = 1;
  double widths = 0.0;
  bool arcs = false;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    longest = std::max(longest, stages[i].length);
    widths += 1.0 + gapBefore(stages, i);
    arcs = arcs || stages[i].added >= 0;
  }
  const double left = room.labels + 2 * edge, feet = 3 * room.line + 2 * edge;
  const double top = edge + (arcs ? kArc * unit : 0.0);
  const double plate = std::clamp(std::floor((room.area.width() - left - edge) / widths),
                                  kNarrowest * unit, kWidest * unit);
  const double rows = (room.area.height() - top - feet) / double(longest);
  double pitch = std::max(room.least_pitch, std::min(rows, kLargestRow * unit));
  if (pitch >= 2.0) pitch = std::floor(pitch);
  const double height = pitch * double(longest), axis = room.area.top() + top + height / 2;

  out.label_edge = room.area.left() + left - edge;
  out.arc_top = room.area.top() + edge + room.line / 2;
  double x = room.area.left() + left;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    x += plate * gapBefore(stages, i);
    const double own = pitch * double(stages[i].length);
    CellPlaces places;
    places.origin = {x, axis - own / 2};
    places.rows = int(stages[i].length);
    places.cols = int(stages[i].width);
    places.cell_width = plate / double(std::max<std::int64_t>(1, stages[i].width));
    places.cell_height = pitch;
    places.gap = std::min(places.cell_width, pitch) >= kNumbers * unit / 2 ? unit : 0.0;
    if (i > 0) {
      const QRectF from = out.plates.back().bounds(), to = places.bounds();
      out.bands.push_back(
          QPolygonF({from.topRight(), to.topLeft(), to.bottomLeft(), from.bottomRight()}));
    }
    out.plates.push_back(places);
    x += plate;
  }
  out.caption_top = axis + height / 2 + edge / 2;
  out.legend_top = out.caption_top + 2 * room.line + edge / 2;
  out.size = {x + edge - room.area.left(), top + height + feet};
  return out;
}

BandItems::BandItems(std::span<const observe::StackStage> stages) : first{0} {
  for (const observe::StackStage& stage : stages) first.push_back(first.back() + int(stage.length));
}

std::size_t BandItems::stageOf(int item) const {
  return std::size_t(std::ranges::upper_bound(first, item) - first.begin()) - 1;
}

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/growth_layout.h"

#include <algorithm>
#include <cmath>

namespace tfm::ui {
namespace {

constexpr double kArrived = 0.7;   // when old cells have reached their places
constexpr double kNewCells = 0.4;  // the last part of the animation, in which new cells appear
constexpr double kMinPitch = 0.02;

double smooth(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

/// Space between cells, inside their pitch.
double gapFor(double pitch, double unit) {
  if (pitch >= 20.0 * unit) return std::max(2.0, std::round(1.5 * unit));
  return pitch >= 6.0 * unit ? 1.0 : 0.0;
}

/// Extra space at the border of a head or of new indices.
double borderFor(double pitch, double unit, bool strong) {
  if (pitch >= 12.0 * unit) return (strong ? 10.0 : 5.0) * unit;
  if (pitch >= 3.0 * unit) return (strong ? 7.0 : 4.0) * unit;
  return (strong ? 2.0 : 1.0) * unit;
}

/// The starts of `count` indices; the end of the last is appended.
template <class Border>
std::vector<double> line(int count, double pitch, const Border& border) {
  std::vector<double> starts(std::size_t(count) + 1);
  double place = 0.0;
  for (int i = 0; i < count; ++i) {
    if (i > 0) place += border(i);
    starts[std::size_t(i)] = place;
    place += pitch;
  }
  starts.back() = place;
  return starts;
}

}  // namespace

GrowthMoment GrowthMoment::at(double progress) {
  return {smooth(progress / kArrived), smooth(progress),
          std::clamp((progress - (1.0 - kNewCells)) / kNewCells, 0.0, 1.0)};
}

AxisPlaces AxisPlaces::of(const GrownAxis& axis, double pitch, double unit, double slide) {
  using Border = GrownAxis::Border;
  const double strong = borderFor(pitch, unit, true);
  const double weak = borderFor(pitch, unit, false);
  std::vector<double> after = line(axis.after, pitch, [&](int i) {
    const Border border = axis.borders[std::size_t(i)];
    return border == Border::Strong ? strong : border == Border::Weak ? weak : 0.0;
  });
  const std::vector<double> before = line(axis.before, pitch, [&](int i) {
    return axis.stripe_before > 0 && i % axis.stripe_before == 0 ? strong : 0.0;
  });
  AxisPlaces places;
  places.pitch = pitch;
  places.drawn = pitch - gapFor(pitch, unit);
  places.extent_before = before.back();
  places.extent_after = after.back();
  places.extent = before.back() + (after.back() - before.back()) * slide;
  after.pop_back();
  for (std::size_t i = 0; i < after.size() && slide < 1.0; ++i) {
    if (axis.source[i] < 0) continue;
    const double from = before[std::size_t(axis.source[i])];
    after[i] = from + (after[i] - from) * slide;
  }
  places.start = std::move(after);
  return places;
}

std::optional<int> AxisPlaces::at(double place) const {
  const auto next = std::upper_bound(start.begin(), start.end(), place);
  if (next == start.begin()) return std::nullopt;
  const auto index = int(next - start.begin()) - 1;
  if (place >= start[std::size_t(index)] + pitch) return std::nullopt;
  return index;
}

GrowthPlaces GrowthPlaces::of(const GrownCells& cells, const QPointF& origin, double pitch,
                              double unit, const GrowthMoment& moment) {
  return {origin, AxisPlaces::of(cells.rowAxis(), pitch, unit, moment.slide),
          AxisPlaces::of(cells.colAxis(), pitch, unit, moment.slide)};
}

QRectF GrowthPlaces::block(const CellBlock& block) const {
  const auto row = std::size_t(block.row), col = std::size_t(block.col);
  return QRectF(QPointF(cols.start[col], rows.start[row]),
                QPointF(cols.end(block.col + block.cols - 1), rows.end(block.row + block.rows - 1)))
      .translated(origin);
}

std::optional<Cell> GrowthPlaces::at(const QPointF& point) const {
  const std::optional<int> row = rows.at(point.y() - origin.y());
  const std::optional<int> col = cols.at(point.x() - origin.x());
  if (!row || !col) return std::nullopt;
  return Cell{*row, *col};
}

QSizeF grownSize(const GrownCells& cells, double pitch, double unit) {
  const double strong = borderFor(pitch, unit, true);
  const double weak = borderFor(pitch, unit, false);
  const auto extent = [&](const GrownAxis& axis) {
    return axis.after * pitch + axis.strong_borders * strong + axis.weak_borders * weak;
  };
  return {extent(cells.colAxis()), extent(cells.rowAxis())};
}

double pitchFor(const GrownCells& cells, const QSizeF& room, double largest, double unit) {
  if (cells.isEmpty()) return largest;
  double pitch =
      std::min({largest, room.width() / std::max(1, cells.cols()), room.height() / cells.rows()});
  // Borders between blocks also take space, which shrinks with the cells, so this converges
  // quickly.
  for (int i = 0; i < 8 && pitch > kMinPitch; ++i) {
    const double whole = pitch >= 3.0 ? std::floor(pitch) : pitch;
    const QSizeF size = grownSize(cells, whole, unit);
    const double share = std::min(room.width() / size.width(), room.height() / size.height());
    if (share >= 1.0) return whole;
    pitch = std::min(whole * share, pitch >= 4.0 ? whole - 1.0 : pitch);
  }
  return std::max(pitch, kMinPitch);
}

}  // namespace tfm::ui

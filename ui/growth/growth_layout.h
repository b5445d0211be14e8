// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <optional>
#include <vector>

#include "ui/growth/grown_cells.h"
#include "ui/heatmap/cell_places.h"

namespace tfm::ui {

/// The state of a growth animation, from 0 (before) to 1 (after).
struct GrowthMoment {
  double slide = 1.0;   ///< how far old cells have moved to their new places
  double blend = 1.0;   ///< between an old cell's value before and after
  double appear = 1.0;  ///< opacity of new cells

  /// Old cells move first, new ones appear in the last 40 %. Values outside [0, 1] are clamped.
  static GrowthMoment at(double progress);
};

/// The positions of the indices of one axis, in pixels from the start of the matrix.
struct AxisPlaces {
  double pitch = 0.0;         ///< from one index to the next
  double drawn = 0.0;         ///< the part of the pitch that a cell fills
  std::vector<double> start;  ///< of each index after
  double extent = 0.0;        ///< of the matrix at this moment
  double extent_before = 0.0;
  double extent_after = 0.0;

  /// Leaves a small gap between heads and in front of new indices.
  static AxisPlaces of(const GrownAxis& axis, double pitch, double unit, double slide);
  /// The index at a point after the animation; none in the gaps and outside.
  std::optional<int> at(double place) const;
  double end(int index) const { return start[std::size_t(index)] + drawn; }
};

/// Where the cells of a matrix are on screen.
struct GrowthPlaces {
  QPointF origin;
  AxisPlaces rows, cols;

  static GrowthPlaces of(const GrownCells& cells, const QPointF& origin, double pitch, double unit,
                         const GrowthMoment& moment);
  QRectF cell(int row, int col) const { return block({row, col, 1, 1, {}}); }
  QRectF block(const CellBlock& block) const;
  std::optional<Cell> at(const QPointF& point) const;
  /// The matrix at this moment.
  QRectF bounds() const { return {origin, QSizeF(cols.extent, rows.extent)}; }
};

/// The size of a matrix after growth when its cells are `pitch` apart.
QSizeF grownSize(const GrownCells& cells, double pitch, double unit);
/// The largest pitch, at most `largest`, at which a matrix fits into `room`.
double pitchFor(const GrownCells& cells, const QSizeF& room, double largest, double unit);

}  // namespace tfm::ui

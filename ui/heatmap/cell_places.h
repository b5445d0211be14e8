// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <algorithm>
#include <optional>

#include "ui/figure/items.h"

namespace tfm::ui {

/// Where the cells of a map are on screen. Cells are adjacent and drawn `gap` smaller.
struct CellPlaces {
  QPointF origin;
  double cell_width = 0.0;
  double cell_height = 0.0;
  double gap = 0.0;
  int rows = 0;
  int cols = 0;

  QRectF bounds() const { return {origin, QSizeF(cols * cell_width, rows * cell_height)}; }

  /// The drawn part of a cell.
  QRectF cell(int row, int col) const {
    return {origin.x() + col * cell_width + gap / 2, origin.y() + row * cell_height + gap / 2,
            cell_width - gap, cell_height - gap};
  }
  /// The cells of a row from `first` up to but not including `end`, with the gaps below and
  /// between.
  QRectF run(int row, int first, int end) const {
    const QRectF start = cell(row, first);
    const double bottom = row + 1 < rows ? cell_height : cell_height - gap;
    return {start.left(), start.top(), (end - first) * cell_width - gap, bottom};
  }
  double rowCentre(int row) const { return origin.y() + (row + 0.5) * cell_height; }
  double colCentre(int col) const { return origin.x() + (col + 0.5) * cell_width; }

  /// The cell at a point; none outside.
  std::optional<Cell> at(const QPointF& point) const {
    if (rows == 0 || cols == 0 || !bounds().contains(point)) return std::nullopt;
    const QPointF offset = point - origin;
    return Cell{std::min(rows - 1, int(offset.y() / cell_height)),
                std::min(cols - 1, int(offset.x() / cell_width))};
  }
};

}  // namespace tfm::ui

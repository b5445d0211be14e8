// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <cstdint>
#include <functional>
#include <span>

#include "ui/heatmap/cell_places.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// The direction of hatch lines: rising for masked cells, falling for entries that must be zero, so
/// that they differ without colour.
enum class Hatch { Rising, Falling };

/// Hatches `area` with lines `spacing` apart, which continue in neighbouring areas. Uses lines
/// only, no clipping or pattern brush, so that it works in SVG and PDF.
void hatch(QPainter& painter, const QRectF& area, Hatch lean, double spacing, const QColor& color,
           double width);

/// Calls `visit` for every run of flagged cells in every row, with the rectangle of the run.
void forEachRun(const CellPlaces& grid, const std::function<bool(int row, int col)>& flagged,
                const std::function<void(const QRectF&)>& visit);

/// Paints masked cells, including their gaps, grey with rising lines: clearly not values.
void paintMasked(QPainter& painter, const CellPlaces& grid, std::span<const std::uint8_t> masked,
                 const Palette& palette, double unit);

/// Caches paintMasked() as a pixmap, since a mask rarely changes while values change at every step.
class MaskOverlay {
 public:
  /// Drops the cache: the mask, its place, the theme or the scale changed.
  void invalidate() { pixmap_ = QPixmap(); }
  /// Draws the hatching of `masked`; nothing if it is empty.
  void paint(QPainter& painter, const CellPlaces& grid, std::span<const std::uint8_t> masked,
             const Palette& palette, double unit);

 private:
  QPixmap pixmap_;
};

}  // namespace tfm::ui

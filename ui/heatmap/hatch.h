// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <cstdint>
#include <functional>
#include <span>

#include "ui/heatmap/cell_places.h"

class QPainter;

namespace tfm::ui {

struct Palette;

/// Which way the lines of a hatching lean. Masked cells rise, entries that must be zero fall, so
/// that they can be told apart without colour.
enum class Hatch { Rising, Falling };

/// Lines across `area`, `spacing` apart. Neighbouring areas continue each other's lines. Uses lines
/// only, no clipping and no pattern brush, so that it survives in SVG and PDF.
void hatch(QPainter& painter, const QRectF& area, Hatch lean, double spacing, const QColor& color,
           double width);

/// Calls `visit` for every run of flagged cells in every row, with the rectangle of the run.
void forEachRun(const CellPlaces& grid, const std::function<bool(int row, int col)>& flagged,
                const std::function<void(const QRectF&)>& visit);

/// Grey ground with rising lines over all masked cells, across their gaps: clearly no values.
void paintMasked(QPainter& painter, const CellPlaces& grid, std::span<const std::uint8_t> masked,
                 const Palette& palette, double unit);

/// paintMasked() kept as a picture, because a mask rarely changes while values do at every step.
class MaskOverlay {
 public:
  /// Forgets the picture: the mask, its place, the theme or the scale changed.
  void invalidate() { pixmap_ = QPixmap(); }
  /// Draws the hatching of `masked`; nothing if it is empty.
  void paint(QPainter& painter, const CellPlaces& grid, std::span<const std::uint8_t> masked,
             const Palette& palette, double unit);

 private:
  QPixmap pixmap_;
};

}  // namespace tfm::ui

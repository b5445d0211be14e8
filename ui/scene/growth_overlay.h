// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QPolygonF>
#include <QRectF>
#include <functional>
#include <span>
#include <vector>

#include "ui/growth/growth_legend.h"
#include "ui/scene/camera.h"
#include "ui/scene/growing_wall.h"

class QPainter;

namespace tfm::ui {

class Style;
struct Palette;

/// New rows or columns of a grown slab; all of it if the slab is new.
struct FreshBlock {
  int slab = 0;
  int row = 0, col = 0, rows = 0, cols = 0;
};
/// The new rows and columns of every slab; none of a slab with too many to distinguish.
std::vector<FreshBlock> freshBlocks(std::span<const GrowingSlab> slabs,
                                    std::span<const MatrixSlab> after);

/// Outlines the new parts of slabs, fainter the more pieces a slab has.
void paintFresh(QPainter& painter, std::span<const FreshBlock> fresh,
                const std::function<QPolygonF(const FreshBlock&)>& outline_of,
                const Palette& palette, const Style& style);

/// Paints the outlines of what will grow, and thin lines where old cells will move apart.
void paintGhosts(QPainter& painter, std::span<const Ghost> ghosts, const Camera& camera,
                 const QSizeF& size, const Palette& palette, const Style& style);

/// Paints the legend of the marks, wrapped to `width`, with its lower left corner at `corner`.
/// Returns its area.
QRectF paintMarkLegend(QPainter& painter, const QPointF& corner, double width,
                       std::span<const GrowthMark> marks, const Palette& palette,
                       const Style& style);

}  // namespace tfm::ui

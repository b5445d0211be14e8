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

/// Rows or columns of a grown slab that are new; all of it where the slab is.
struct FreshBlock {
  int slab = 0;
  int row = 0, col = 0, rows = 0, cols = 0;
};
/// The new rows and columns of every slab; none of a slab where they are too many to be told apart.
std::vector<FreshBlock> freshBlocks(std::span<const GrowingSlab> slabs,
                                    std::span<const MatrixSlab> after);

/// One outline around all that is new of a slab, the quieter the more pieces it has.
void paintFresh(QPainter& painter, std::span<const FreshBlock> fresh,
                const std::function<QPolygonF(const FreshBlock&)>& outline_of,
                const Palette& palette, const Style& style);

/// The outlines of what comes, and thin lines where old cells will move apart.
void paintGhosts(QPainter& painter, std::span<const Ghost> ghosts, const Camera& camera,
                 const QSizeF& size, const Palette& palette, const Style& style);

/// The legend of the marks, in as many lines as `width` asks for; its lower left corner is at
/// `corner`. Returns the area it took.
QRectF paintMarkLegend(QPainter& painter, const QPointF& corner, double width,
                       std::span<const GrowthMark> marks, const Palette& palette,
                       const Style& style);

}  // namespace tfm::ui

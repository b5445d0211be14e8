// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QImage>
#include <QLineF>
#include <utility>
#include <vector>

#include "ui/growth/growth_layout.h"
#include "ui/heatmap/color_scale.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// The colours of a matrix's cells, computed once for many frames.
struct CellColors {
  std::vector<QRgb> after;   ///< rows x cols
  std::vector<QRgb> before;  ///< the same; `after` for new cells. Empty if equal to `after`

  CellColors() = default;
  CellColors(const GrownCells& cells, const ColorTable& table, const Palette& palette);
  QRgb at(std::size_t cell, double blend) const;
};

/// Everything needed to draw a growth.
struct GrowthLook {
  const Style& style;
  const Palette& palette;
  ColorScale scale;
  GrowthMoment moment;
  bool vectors = false;  ///< cells as shapes instead of pixels, unless there are too many

  double unit() const;
};

/// Paints the cells' colours at `look.moment`. For pixels, the cost depends on the area, not on the
/// number of cells.
void paintGrowthCells(QPainter& painter, const GrownCells& cells, const CellColors& colors,
                      const GrowthPlaces& places, const GrowthLook& look);
/// Paints the marks: on each cell if there is room, else on each block.
void paintGrowthMarks(QPainter& painter, const GrownCells& cells, const CellColors& colors,
                      const GrowthPlaces& places, const GrowthLook& look);
/// Paints the values if cells are large enough.
void paintGrowthNumbers(QPainter& painter, const GrownCells& cells, const CellColors& colors,
                        const GrowthPlaces& places, const GrowthLook& look);
/// Paints the dashed outline of the new parts.
void paintGhost(QPainter& painter, const GrownCells& cells, const GrowthPlaces& places,
                const GrowthLook& look);

/// Paints a bracket along a line, on its left seen from its start, bold between two positions.
/// Returns the point outside its middle.
QPointF paintBracket(QPainter& painter, const QLineF& line, const std::pair<double, double>& bold,
                     const QColor& color, const Palette& palette, double unit);
/// Paints an arrow along the data, with the painter's pen.
void paintPlanArrow(QPainter& painter, const QPolygonF& way, double unit);
/// Paints a bracket along an axis of a matrix with its name and sizes, bold along the new part.
/// Columns have it above the matrix, rows on the left; its depth is braceRoom().
void paintBrace(QPainter& painter, const GrownAxis& axis, const GrowthPlaces& places,
                Qt::Orientation along, double room, const GrowthLook& look);
double braceRoom(const Style& style);

}  // namespace tfm::ui

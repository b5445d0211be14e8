// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QImage>
#include <QLineF>
#include <utility>
#include <vector>

#include "ui/growth/growth_layout.h"
#include "ui/heatmap/color_scale.h"

class QPainter;

namespace tfm::ui {

class Style;
struct Palette;

/// The colours of a matrix's cells, computed once for many frames.
struct CellColors {
  std::vector<QRgb> after;   ///< rows x cols
  std::vector<QRgb> before;  ///< likewise; that of `after` for new cells. Empty if all are alike

  CellColors() = default;
  CellColors(const GrownCells& cells, const ColorTable& table, const Palette& palette);
  QRgb at(std::size_t cell, double blend) const;
};

/// What a growth is drawn with.
struct GrowthLook {
  const Style& style;
  const Palette& palette;
  ColorScale scale;
  GrowthMoment moment;
  bool vectors = false;  ///< cells as shapes and not as pixels, if they are not too many

  double unit() const;
};

/// The cells' colours at `look.moment`. Pixels take the time of the area and not of the cells.
void paintGrowthCells(QPainter& painter, const GrownCells& cells, const CellColors& colors,
                      const GrowthPlaces& places, const GrowthLook& look);
/// The marks on them: on each cell if there is room, else on each block.
void paintGrowthMarks(QPainter& painter, const GrownCells& cells, const CellColors& colors,
                      const GrowthPlaces& places, const GrowthLook& look);
/// Their values, where cells are large enough.
void paintGrowthNumbers(QPainter& painter, const GrownCells& cells, const CellColors& colors,
                        const GrowthPlaces& places, const GrowthLook& look);
/// The dashed outline of what is new.
void paintGhost(QPainter& painter, const GrownCells& cells, const GrowthPlaces& places,
                const GrowthLook& look);

/// A bracket beside a line, on its left as seen from the line's beginning, bold between two places
/// along it. Returns the point outside its middle.
QPointF paintBracket(QPainter& painter, const QLineF& line, const std::pair<double, double>& bold,
                     const QColor& color, const Palette& palette, double unit);
/// A bracket along an axis of a matrix with its name and sizes; what is new is bold. Columns have
/// it above the matrix, rows at its left, `braceRoom` deep.
void paintBrace(QPainter& painter, const GrownAxis& axis, const GrowthPlaces& places,
                Qt::Orientation along, double room, const GrowthLook& look);
double braceRoom(const Style& style);

}  // namespace tfm::ui

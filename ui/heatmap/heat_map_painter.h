// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QList>
#include <optional>

#include "ui/heatmap/axis_labels.h"
#include "ui/heatmap/cell_places.h"
#include "ui/heatmap/forward.h"
#include "ui/heatmap/heat_data.h"
#include "ui/heatmap/legend.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// The layout of a large map. Depends on its shape and texts, not on its values.
struct HeatMapLayout {
  double unit = 1.0;  ///< pixels at scale 1
  CellPlaces grid;
  double radius = 0.0;  ///< of the cells' corners
  AxisLabels row_labels;
  AxisLabels col_labels;
  double label_space = 0.0;  ///< between labels and cells
  QFont title_font;
  bool numbers = false;  ///< cells are large enough to show their values
  int decimals = 0;      ///< of the numbers; fewer than the scale's if needed to fit
  QFont number_font;
  QRectF legend;
};

/// Fits `map` into `area` with square cells as large as possible, from the top left.
HeatMapLayout layOutHeatMap(const HeatMap& map, const Legend& legend, const Style& style,
                            const QRectF& area);
/// The preferred size of a map.
QSizeF naturalHeatMapSize(const HeatMap& map, const Legend& legend, const Style& style);
/// The size below which labels of its rows and columns would overlap.
QSizeF leastHeatMapSize(const HeatMap& map, const Legend& legend, const Style& style);

/// What is highlighted in a map.
struct HeatMapMarks {
  std::optional<Cell> hovered;
  std::optional<Cell> locked;
  QList<int> selected_rows;
};

/// Paints the axes: labels, titles with the reading direction, marks beside selected rows.
void paintHeatMapAxes(QPainter& painter, const HeatMap& map, const HeatMapLayout& layout,
                      const Palette& palette, const HeatMapMarks& marks);
/// Paints the values in the cells, if the layout has room for them.
void paintHeatMapNumbers(QPainter& painter, const HeatMap& map, const HeatMapLayout& layout,
                         const ColorTable& colors);

}  // namespace tfm::ui

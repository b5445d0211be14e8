// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <optional>

#include "ui/forward.h"
#include "ui/heatmap/heat_map_layout.h"

namespace tfm::ui {

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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <optional>
#include <vector>

#include "ui/heatmap/heat_map_layout.h"

class QPainter;

namespace tfm::ui {

/// What stands out in a map.
struct HeatMapMarks {
  std::optional<Cell> hovered;
  std::optional<Cell> locked;
  std::vector<int> selected_rows;
};

/// The axes: labels, titles with the direction of reading, marks beside selected rows.
void paintHeatMapAxes(QPainter& painter, const HeatMap& map, const HeatMapLayout& layout,
                      const Palette& palette, const HeatMapMarks& marks);
/// The cells, one rectangle each, without the masked ones.
void paintHeatMapCells(QPainter& painter, const HeatMap& map, const HeatMapLayout& layout,
                       const ColorTable& colors);
/// The values in the cells, if the layout has room for them.
void paintHeatMapNumbers(QPainter& painter, const HeatMap& map, const HeatMapLayout& layout,
                         const ColorTable& colors);
/// Frames around the hovered and the locked cell.
void paintHeatMapFrames(QPainter& painter, const HeatMapLayout& layout, const Palette& palette,
                        const HeatMapMarks& marks);

/// Writes one pixel per value into the RGB32 `image`, as wide as a row of `values`, from line `top`
/// on.
void fillHeatImage(QImage& image, int top, std::span<const float> values, const ColorTable& colors);

/// Above this many cells a map is drawn as one image on screen.
inline constexpr int kMostScreenRects = 64 * 64;
/// Above this many cells a map is an image on paper, too: no reader opens a drawing of more.
inline constexpr int kMostPaperRects = 256 * 256;

}  // namespace tfm::ui

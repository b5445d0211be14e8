// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <optional>
#include <span>

#include "ui/heatmap/color_scale.h"
#include "ui/heatmap/heat_grid_layout.h"

class QPainter;

namespace tfm::ui {

/// The cells of a small map, one rectangle each, without the masked ones.
void paintSmallCells(QPainter& painter, const MapStack& group, std::span<const float> values,
                     const CellGrid& grid, const ColorTable& colors);
/// All captions that meet `visible`; those of the locked map in gold, of the hovered one bright.
void paintGridCaptions(QPainter& painter, const HeatGridLayout& layout, const QRectF& visible,
                       const std::optional<MapId>& hovered, const std::optional<MapId>& locked,
                       const Style& style, const Palette& palette);
/// A frame around a small map.
void paintMapFrame(QPainter& painter, const QRectF& map, const QColor& color, double unit);

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QSizeF>
#include <QString>
#include <limits>
#include <span>
#include <vector>

#include "ui/heatmap/cell_places.h"
#include "ui/heatmap/map_stack.h"

namespace tfm::ui {

class Style;

/// A small map on screen. `line` and `column` count maps, for walking with arrow keys.
struct MapPlace {
  MapId id;
  QRectF box;
  int line;
  int column;
};

/// Words in a grid, and which maps they speak of.
struct MapCaption {
  enum class Of { Group, Layer, Head, Map };
  Of of;
  MapId id;
  QString text;
  QRectF place;
  Qt::Alignment alignment;
};

/// Where the small maps of a grid lie. A group with several layers and heads is a table, layer by
/// head, with the means in its first row and column; any other group flows like words.
struct HeatGridLayout {
  std::vector<MapPlace> places;
  std::vector<MapCaption> captions;
  QSizeF size;

  /// The index of a map's place; -1 when it is not shown.
  int find(const MapId& id) const;
};

/// Fits all groups below each other into `width` and, with smaller maps, into `height`; maps never
/// get smaller than can be told apart, so the result may be larger.
HeatGridLayout layOutHeatGrid(std::span<const MapStack> groups, const Style& style, double width,
                              double height = std::numeric_limits<double>::infinity());
/// The width at which all maps have their full size.
double naturalHeatGridWidth(std::span<const MapStack> groups, const Style& style);
/// The width below which a table of maps has to scroll.
double leastHeatGridWidth(std::span<const MapStack> groups, const Style& style);

/// The cells of a small map inside its box.
CellPlaces smallCells(const MapStack& group, const QRectF& box);

}  // namespace tfm::ui

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
#include "ui/style/forward.h"

namespace tfm::ui {

/// A small map on screen. `line` and `column` count maps, for the arrow keys.
struct MapPlace {
  MapId id;
  QRectF box;
  int line;
  int column;
};

/// A caption in the grid and the maps it belongs to.
struct MapCaption {
  enum class Of { Group, Layer, Head, Map };
  Of of;
  MapId id;
  QString text;
  QRectF place;
  Qt::Alignment alignment;
};

/// The layout of a grid of small maps. A group with several layers and heads is a table, layers by
/// heads, with the means in the first row and column; other groups wrap like text.
struct HeatGridLayout {
  std::vector<MapPlace> places;
  std::vector<MapCaption> captions;
  QSizeF size;

  /// The index of a map's place; -1 if it is not shown.
  int find(const MapId& id) const;
};

/// Fits all groups one below the other into `width` and, with smaller maps, into `height`; maps
/// keep a minimum size, so the result may be larger.
HeatGridLayout layOutHeatGrid(std::span<const MapStack> groups, const Style& style, double width,
                              double height = std::numeric_limits<double>::infinity());
/// The width at which all maps have their full size.
double naturalHeatGridWidth(std::span<const MapStack> groups, const Style& style);
/// The width below which a table of maps must scroll.
double leastHeatGridWidth(std::span<const MapStack> groups, const Style& style);

/// The cells of a small map inside its box.
CellPlaces smallCells(const MapStack& group, const QRectF& box);

}  // namespace tfm::ui

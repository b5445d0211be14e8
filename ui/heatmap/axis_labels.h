// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QStringList>
#include <functional>

#include "ui/heatmap/cell_places.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// How much a label stands out.
enum class Emphasis { None, Hovered, Locked };
using EmphasisOf = std::function<Emphasis(int index)>;

/// The layout of an axis's labels, all shown without overlap: if they are too dense they are
/// rotated, shrunk, staggered on several levels, and elided, in that order.
struct AxisLabels {
  QStringList texts;  ///< elided to what fits
  QFont font;
  double angle = 0.0;   ///< degrees anticlockwise: 0, 45 or 90
  int levels = 1;       ///< number of levels for neighbouring labels, the first nearest to the map
  double level = 0.0;   ///< pixels from one level to the next
  double extent = 0.0;  ///< pixels that the axis takes away from the map; 0 without labels

  /// A label's distance from the nearest level.
  double offset(int index) const { return index % levels * level; }
};

/// Labels to the left of rows that are `pitch` pixels apart.
AxisLabels fitRowLabels(const QStringList& texts, double pitch, const Style& style);
/// Labels above columns that are `pitch` pixels apart.
AxisLabels fitColumnLabels(const QStringList& texts, double pitch, const Style& style);
/// The smallest row or column pitch at which labels are legible.
double leastLabelPitch(const Style& style);

/// Paints right-aligned labels ending `space` pixels left of the grid.
void paintRowLabels(QPainter& painter, const AxisLabels& labels, const CellPlaces& grid,
                    double space, const Palette& palette, const EmphasisOf& emphasis);
/// Paints labels ending `space` pixels above the grid.
void paintColumnLabels(QPainter& painter, const AxisLabels& labels, const CellPlaces& grid,
                       double space, const Palette& palette, const EmphasisOf& emphasis);

/// The colour of a label: gold only for locked ones.
QColor labelColor(const Palette& palette, Emphasis emphasis);

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QStringList>
#include <functional>

#include "ui/heatmap/cell_places.h"

class QPainter;

namespace tfm::ui {

class Style;
struct Palette;

/// How much a label stands out.
enum class Emphasis { None, Hovered, Locked };
using EmphasisOf = std::function<Emphasis(int index)>;

/// How the labels of one axis are set so that every one is shown and none overlaps another: where
/// they lie too close they turn, shrink, stand on several levels in turn, and are cut short, in
/// that order.
struct AxisLabels {
  QStringList texts;  ///< elided to what fits
  QFont font;
  double angle = 0.0;   ///< degrees anticlockwise: 0, 45 or 90
  int levels = 1;       ///< neighbours stand on so many levels, the first nearest to the map
  double level = 0.0;   ///< pixels from one level to the next
  double extent = 0.0;  ///< pixels that the axis takes away from the map; 0 without labels

  /// How much further from the map than the nearest level a label stands.
  double offset(int index) const { return index % levels * level; }
};

/// Labels at the left of rows that are `pitch` pixels apart.
AxisLabels fitRowLabels(const QStringList& texts, double pitch, const Style& style);
/// Labels above columns that are `pitch` pixels apart.
AxisLabels fitColumnLabels(const QStringList& texts, double pitch, const Style& style);
/// The least distance of rows or columns at which their labels can be told apart.
double leastLabelPitch(const Style& style);

/// Right-aligned, ending `space` pixels left of the grid.
void paintRowLabels(QPainter& painter, const AxisLabels& labels, const CellPlaces& grid,
                    double space, const Palette& palette, const EmphasisOf& emphasis);
/// Ending `space` pixels above the grid.
void paintColumnLabels(QPainter& painter, const AxisLabels& labels, const CellPlaces& grid,
                       double space, const Palette& palette, const EmphasisOf& emphasis);

/// The colour of a label: gold for what is locked, and for nothing else.
QColor labelColor(const Palette& palette, Emphasis emphasis);

}  // namespace tfm::ui

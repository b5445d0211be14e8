// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QStringList>
#include <functional>

#include "ui/heatmap/cell_grid.h"

class QPainter;

namespace tfm::ui {

class Style;
struct Palette;

/// How much a label stands out. Anything but None is drawn even where labels are thinned out.
enum class Emphasis { None, Hovered, Locked };
using EmphasisOf = std::function<Emphasis(int index)>;

/// How the labels of one axis are set: they shrink, then turn, then thin out, then elide, in that
/// order, so that nothing overlaps.
struct AxisLabels {
  QStringList texts;  ///< elided to what fits
  QFont font;
  double angle = 0.0;   ///< degrees anticlockwise: 0, 45 or 90
  int step = 1;         ///< every step-th label is drawn
  double extent = 0.0;  ///< pixels that the axis takes away from the map; 0 without labels
};

/// Labels at the left of rows that are `pitch` pixels apart.
AxisLabels fitRowLabels(const QStringList& texts, double pitch, const Style& style);
/// Labels above columns that are `pitch` pixels apart.
AxisLabels fitColumnLabels(const QStringList& texts, double pitch, const Style& style);

/// Right-aligned, ending `space` pixels left of the grid.
void paintRowLabels(QPainter& painter, const AxisLabels& labels, const CellGrid& grid, double space,
                    const Palette& palette, const EmphasisOf& emphasis);
/// Ending `space` pixels above the grid.
void paintColumnLabels(QPainter& painter, const AxisLabels& labels, const CellGrid& grid,
                       double space, const Palette& palette, const EmphasisOf& emphasis);

/// The colour of a label: gold for what is locked, and for nothing else.
QColor labelColor(const Palette& palette, Emphasis emphasis);

/// Whether label `index` is drawn when labels are `step` apart: its turn has come and no emphasised
/// label is near enough to touch it, or it is emphasised itself.
bool labelShown(int index, int count, int step, const EmphasisOf& emphasis);

}  // namespace tfm::ui

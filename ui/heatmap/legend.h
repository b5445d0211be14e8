// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include "ui/heatmap/heat_data.h"

class QPainter;

namespace tfm::ui {

class Style;
struct Palette;

/// What the colour bar of a map says. Every number is computed from the map, none is typed in.
struct Legend {
  Q_DECLARE_TR_FUNCTIONS(Legend)

 public:
  QString high;    ///< upper limit of the scale; with a greater-or-equal sign when values exceed it
  QString middle;  ///< zero of a signed scale, else empty
  QString low;     ///< lower limit, as `high`
  QStringList range;    ///< the largest and smallest value shown; empty when there is none
  bool masked = false;  ///< some cells are masked
  bool zeros = false;   ///< exact zeros are hatched

  static Legend of(const HeatMap& map);
  static Legend of(const ColorScale& scale, const ValueRange& range);
};

/// The size that the vertical legend needs; its bar stretches to at most `height`.
QSizeF legendSize(const Legend& legend, const Style& style, double height);

/// A vertical colour bar with its numbers, the range of the values and the swatches in use.
void paintLegend(QPainter& painter, const QRectF& area, const Legend& legend,
                 const ColorScale& scale, const Style& style, const Palette& palette);

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include "ui/heatmap/heat_data.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// The texts of a map's colour bar, computed from the map.
struct Legend {
  Q_DECLARE_TR_FUNCTIONS(Legend)

 public:
  QString high;    ///< upper limit of the scale; with a greater-or-equal sign when values exceed it
  QString middle;  ///< zero of a signed scale, else empty
  QString low;     ///< lower limit, as `high`
  QStringList range;    ///< the largest and smallest value shown; empty when there is none
  bool masked = false;  ///< some cells are masked

  static Legend of(const HeatMap& map);
  static Legend of(const ColorScale& scale, const ValueRange& range);
};

/// Paints the colours of a scale from its lower to its upper limit: to the right, or upwards if the
/// bar is higher than wide.
void paintColorBar(QPainter& painter, const QRectF& bar, const ColorTable& colors);

/// Paints a horizontal colour bar between its limits, at the left of `area`, in the painter's font.
void paintHorizontalLegend(QPainter& painter, const QRectF& area, const ColorScale& scale,
                           double unit, const Palette& palette);
/// The width of the horizontal legend.
double horizontalLegendWidth(const ColorScale& scale, const QFont& font, double unit);

/// The size of the vertical legend; its bar stretches to at most `height`.
QSizeF legendSize(const Legend& legend, const Style& style, double height);

/// Paints a vertical colour bar with its numbers, the range of the values and the samples in use.
void paintLegend(QPainter& painter, const QRectF& area, const Legend& legend,
                 const ColorScale& scale, const Style& style, const Palette& palette);

}  // namespace tfm::ui

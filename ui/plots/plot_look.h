// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPen>

#include "ui/style/forward.h"
#include "ui/style/palette.h"

namespace tfm::ui {

/// Colours, fonts and sizes of a plot, for screen or paper.
struct PlotLook {
  PlotLook(const Style& style, const Palette& palette);

  const Palette& palette;
  double unit;         ///< one pixel at scale 1
  QFont text, strong;  ///< titles and names
  QFont number;        ///< ticks and values

  QColor seriesColour(int index) const;
  /// The pen of a series: both colour and dash pattern identify it.
  QPen seriesPen(int index) const;
  /// The faint line of the raw values behind a smoothed one.
  QPen rawPen(int index) const;
  /// The thin dashed line of a flag or a pin.
  QPen markerPen(const QColor& colour) const;
  /// Fainter than any line of data, in every theme.
  QColor gridColour() const;
  /// `colour` blended with the background: 0 is the background, 1 the colour.
  QColor faded(const QColor& colour, double strength) const;
};

}  // namespace tfm::ui

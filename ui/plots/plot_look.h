// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPen>

#include "ui/style/palette.h"

namespace tfm::ui {

class Style;

/// Colours, fonts and sizes that a plot is drawn with: the screen's or the paper's.
struct PlotLook {
  PlotLook(const Style& style, const Palette& palette);

  const Palette& palette;
  double unit;         ///< one pixel at scale 1
  QFont text, strong;  ///< titles and names
  QFont number;        ///< ticks and values

  QColor seriesColour(int index) const;
  /// The line of a series: colour and dash both tell it apart.
  QPen seriesPen(int index) const;
  /// The faint line of the raw values behind a smoothed one.
  QPen rawPen(int index) const;
  /// The thin dashed line of a flag or a pin.
  QPen markerPen(const QColor& colour) const;
  /// Quieter than any line of data, in every theme.
  QColor gridColour() const;
  /// `colour` on the way from the ground: 0 is the ground, 1 is the colour.
  QColor faded(const QColor& colour, double strength) const;
};

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_look.h"

#include <array>

#include "ui/style/oklab.h"
#include "ui/style/style.h"

namespace tfm::ui {

PlotLook::PlotLook(const Style& style, const Palette& palette)
    : palette(palette),
      unit(style.scale()),
      text(style.textFont(12)),
      strong(style.textFont(12, QFont::DemiBold)),
      number(style.numberFont(10.5)) {}

QColor PlotLook::seriesColour(int index) const {
  return palette.series[std::size_t(index) % palette.series.size()];
}

QPen PlotLook::seriesPen(int index) const {
  // In pen widths: solid, dashes, dots, dash-dot, long dashes.
  static const std::array<QVector<qreal>, 5> kDashes = {
      QVector<qreal>{}, {4, 2.5}, {1, 2}, {5, 2, 1, 2}, {8, 3}};
  QPen pen(seriesColour(index), 2 * unit);
  pen.setJoinStyle(Qt::RoundJoin);
  pen.setCapStyle(Qt::FlatCap);
  const QVector<qreal>& dash = kDashes[std::size_t(index) % kDashes.size()];
  if (!dash.isEmpty()) pen.setDashPattern(dash);
  return pen;
}

QPen PlotLook::rawPen(int index) const {
  QPen pen(faded(seriesColour(index), 0.38), unit);
  pen.setJoinStyle(Qt::BevelJoin);
  return pen;
}

QPen PlotLook::markerPen(const QColor& colour) const {
  QPen pen(colour, unit);
  // Square caps would close the gaps.
  pen.setCapStyle(Qt::FlatCap);
  pen.setDashPattern({4, 3});
  return pen;
}

QColor PlotLook::gridColour() const { return faded(palette.muted, 0.25); }

QColor PlotLook::faded(const QColor& colour, double strength) const {
  return mixOklab(palette.panel, colour, strength);
}

}  // namespace tfm::ui

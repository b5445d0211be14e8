// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_legend.h"

#include <qcustomplot.h>

#include <QFontMetricsF>

#include "ui/plots/plot_look.h"

namespace tfm::ui {

QCPLegend& freeLegend(QCustomPlot& plot) {
  QCPLegend& legend = *plot.legend;
  legend.setLayer(QStringLiteral("legend"));
  legend.setBorderPen(Qt::NoPen);
  legend.setBrush(Qt::NoBrush);
  legend.setMargins({0, 0, 0, 0});
  plot.axisRect()->insetLayout()->setInsetPlacement(0, QCPLayoutInset::ipFree);
  return legend;
}

void dressLegend(QCPLegend& legend, const PlotLook& look) {
  legend.setFont(look.strong);
  legend.setTextColor(look.palette.text);
  legend.setIconSize(int(22 * look.unit), int(QFontMetricsF(look.strong).height()));
  legend.setIconTextPadding(int(6 * look.unit));
  legend.setColumnSpacing(int(14 * look.unit));
  legend.setRowSpacing(0);
}

int wrapLegend(QCPLegend& legend, double width) {
  const int count = legend.itemCount();
  for (int columns = count; columns > 0; --columns) {
    legend.setWrap(columns);
    legend.setFillOrder(QCPLayoutGrid::foColumnsFirst, true);
    if (columns == 1 || legend.minimumOuterSizeHint().width() <= width)
      return (count + columns - 1) / columns;
  }
  return 0;
}

void placeLegend(QCPLegend& legend, const QPointF& corner) {
  legend.setOuterRect({corner.toPoint(), legend.minimumOuterSizeHint()});
  legend.update(QCPLayoutElement::upLayout);
}

}  // namespace tfm::ui

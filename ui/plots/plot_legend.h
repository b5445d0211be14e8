// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QCPLegend;
class QCustomPlot;
class QPointF;

namespace tfm::ui {

struct PlotLook;

/// The legend of a plot, without a frame, where placeLegend() puts it.
QCPLegend& freeLegend(QCustomPlot& plot);
/// Fonts, colours and distances.
void dressLegend(QCPLegend& legend, const PlotLook& look);
/// Breaks it into rows that are no wider than `width`, where they can be; their number.
int wrapLegend(QCPLegend& legend, double width);
/// After the layout.
void placeLegend(QCPLegend& legend, const QPointF& corner);

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/forward.h"

namespace tfm::ui {

/// Removes the frame of the legend and frees it for placeLegend().
QCPLegend& freeLegend(QCustomPlot& plot);
/// Sets fonts, colours and spacing.
void dressLegend(QCPLegend& legend, const PlotLook& look);
/// Wraps the entries into rows of at most `width`, if possible. Returns the number of rows.
int wrapLegend(QCPLegend& legend, double width);
/// Moves the legend to `corner`. Call after the layout.
void placeLegend(QCPLegend& legend, const QPointF& corner);

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRectF>
#include <QSharedPointer>
#include <optional>
#include <vector>

#include "ui/plots/forward.h"
#include "ui/plots/plot_frame.h"

namespace tfm::ui {

/// Multiples of 1, 2 or 5 times a power of ten, at most about `count`.
std::vector<double> linearTicks(const AxisRange& range, double count);
/// 1, 2 and 5 times the powers of ten; if there are more than `count`, only the powers, or every
/// second or third ... of them, but at least two. Linear ticks if the range contains fewer than two
/// of those. Requires range.low > 0.
std::vector<double> logarithmicTicks(const AxisRange& range, double count);

/// Axes in a cell of the plot's layout, with margins that are set by hand.
QCPAxisRect& axesAt(QCustomPlot& plot, int row, int column);

/// What the values of the graphs span, on a logarithmic axis only the positive ones: those at
/// `keys`, or all. Nullopt without values.
std::optional<AxisRange> valuesOf(const std::vector<const QCPGraph*>& graphs, bool logarithmic,
                                  std::optional<AxisRange> keys = {});
/// What an axis without values shows.
AxisRange emptyRange(bool logarithmic);

/// Sets the range without emitting signals, which are reserved for user actions.
void setRange(QCPAxis& axis, const AxisRange& range);
/// Sets the scale type, also without signals.
void setLogarithmic(QCPAxis& axis, bool logarithmic);

/// Styles the axes with the colours and fonts of `look`: a grid for the values, ticks and the label
/// for the keys. The title of the values is painted above them, where it can be read upright.
void dressAxes(QCPAxisRect& axes, const PlotLook& look);

/// Adds a PlotGraph on these axes.
QCPGraph* addGraph(QCPAxis& keys, QCPAxis& values);

/// Adds PlotBars on these axes.
QCPBars* addBars(QCPAxis& keys, QCPAxis& values);
/// The visible part of the bar at a key, of bars made by addBars(); of no height where the axis has
/// no place for its value.
QRectF barAt(const QCPBars& bars, double key);

/// The marker of a series, which differs from others by its shape, too. `size` is the diameter of a
/// disc that looks equally large. Filled with `fill`, by default with the colour of `rim`.
QCPScatterStyle seriesMark(int index, const QPen& rim, double size,
                           const std::optional<QColor>& fill = {});

/// A ticker that labels multiples of `unit` in the program's number format; for logarithmic axes,
/// at logarithmicTicks().
QSharedPointer<QCPAxisTicker> valueTicker(bool logarithmic = false, double unit = 1);
/// A ticker for whole steps.
QSharedPointer<QCPAxisTicker> stepTicker();

}  // namespace tfm::ui

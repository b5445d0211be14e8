// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QSharedPointer>
#include <optional>

class QCPAxis;
class QCPAxisRect;
class QCPAxisTicker;
class QCPGraph;
class QCPScatterStyle;
class QPen;

namespace tfm::ui {

struct AxisRange;
struct PlotLook;

/// Sets the range without the signals for a choice of the user.
void setRange(QCPAxis& axis, const AxisRange& range);
/// The same for the scale.
void setLogarithmic(QCPAxis& axis, bool logarithmic);

/// Quiet axes in the colours and fonts of `look`: a grid for the values, ticks below for the keys.
void dressAxes(QCPAxisRect& axes, const PlotLook& look);

/// A graph on these axes that also looks right in files.
QCPGraph* addGraph(QCPAxis& keys, QCPAxis& values);

/// The mark of a series: its shape, too, tells it apart. `size` is that of a disc that looks as
/// large; filled with `fill`, or with the colour of `rim`.
QCPScatterStyle seriesMark(int index, const QPen& rim, double size,
                           const std::optional<QColor>& fill = {});

/// Ticks with the program's numbers, counted in `unit`; on a logarithmic axis as
/// logarithmicTicks().
QSharedPointer<QCPAxisTicker> valueTicker(bool logarithmic = false, double unit = 1);
/// Ticks at whole steps.
QSharedPointer<QCPAxisTicker> stepTicker();

}  // namespace tfm::ui

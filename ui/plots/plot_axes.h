// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSharedPointer>

class QCPAxis;
class QCPAxisRect;
class QCPAxisTicker;

namespace tfm::ui {

struct AxisRange;
struct PlotLook;

/// Sets the range without the signals for a choice of the user.
void setRange(QCPAxis& axis, const AxisRange& range);
/// The same for the scale.
void setLogarithmic(QCPAxis& axis, bool logarithmic);

/// Quiet axes in the colours and fonts of `look`: a grid for the values, ticks below for the keys.
void dressAxes(QCPAxisRect& axes, const PlotLook& look);

/// Ticks with the program's numbers, counted in `unit`; on a logarithmic axis as
/// logarithmicTicks().
QSharedPointer<QCPAxisTicker> valueTicker(bool logarithmic = false, double unit = 1);
/// Ticks at whole steps.
QSharedPointer<QCPAxisTicker> stepTicker();

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <optional>

class QPainter;

namespace tfm::ui {

class Style;
struct ColorScale;
struct Palette;

/// The size of the legend.
QSizeF scaleBarSize(const Style& style);

/// Paints the legend of a scale with its limits and, if they are automatic, the share of values
/// inside; its lower right corner is at `corner`. Returns its area.
QRectF paintScaleBar(QPainter& painter, const QPointF& corner, const ColorScale& scale,
                     std::optional<double> inside_share, const Palette& palette,
                     const Style& style);

}  // namespace tfm::ui

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

/// How much room the legend takes.
QSizeF scaleBarSize(const Style& style);

/// The legend of a scale, with its numbers and the share of all values that lies inside, if that
/// has made the limits; its lower right corner is at `corner`. Returns the area it took.
QRectF paintScaleBar(QPainter& painter, const QPointF& corner, const ColorScale& scale,
                     std::optional<double> inside_share, const Palette& palette,
                     const Style& style);

}  // namespace tfm::ui

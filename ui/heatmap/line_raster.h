// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <span>

namespace tfm::ui {

/// A straight line across a picture: where it enters at the left and leaves at the right, in
/// pixels.
struct CrossingLine {
  QRgb color;  ///< not premultiplied; the alpha is the line's weight
  double from, to;
};

/// Draws lines from edge to edge into `image` (ARGB32_Premultiplied), smooth, `width` pixels thick,
/// in the given order. QPainter needs about 0.2 ms for such a line; thousands of them need this
/// instead.
void rasterLines(QImage& image, std::span<const CrossingLine> lines, double width);

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <span>

namespace tfm::ui {

/// A straight line across an image: y at the left and right edge, in pixels.
struct CrossingLine {
  QRgb color;  ///< not premultiplied; the alpha is the line's weight
  double from, to;
};

/// Draws antialiased lines from edge to edge into `image` (ARGB32_Premultiplied), `width` pixels
/// thick, in the given order. QPainter needs about 0.2 ms per line, too slow for thousands.
void rasterLines(QImage& image, std::span<const CrossingLine> lines, double width);

}  // namespace tfm::ui

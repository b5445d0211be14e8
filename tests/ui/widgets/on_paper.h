// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPainter>
#include <cstdlib>

#include "ui/figure/figure.h"
#include "ui/style/palette.h"

namespace tfm::ui {

/// A figure as exported, in light colours.
inline QImage onPaper(const Figure& figure) {
  QImage image(figure.figureSize().toSize(), QImage::Format_RGB32);
  image.fill(paperPalette().panel);
  QPainter painter(&image);
  figure.paintFigure(painter, image.rect(), paperPalette());
  return image;
}

/// The number of pixels of exactly `colour`, in all of the image or in a part.
inline int pixelsOf(const QImage& image, const QColor& colour, const QRect& part = {}) {
  const QRect where = part.isValid() ? part : image.rect();
  int count = 0;
  for (int y = where.top(); y <= where.bottom(); ++y)
    for (int x = where.left(); x <= where.right(); ++x)
      count += image.pixelColor(x, y).rgb() == colour.rgb();
  return count;
}

/// Whether two images are equal except for rounding of antialiased edges.
inline bool looksLike(const QImage& one, const QImage& other) {
  constexpr int kRounding = 4;  // of 255
  const auto near = [](int a, int b) { return std::abs(a - b) <= kRounding; };
  for (int y = 0; y < one.height(); ++y)
    for (int x = 0; x < one.width(); ++x) {
      const QRgb a = one.pixel(x, y), b = other.pixel(x, y);
      if (!near(qRed(a), qRed(b)) || !near(qGreen(a), qGreen(b)) || !near(qBlue(a), qBlue(b)))
        return false;
    }
  return one.size() == other.size();
}

/// Whether it paints the same at any place on a page, e.g. under a title, and at most the end of a
/// line outside.
inline bool staysInItsArea(const Figure& figure) {
  const QImage alone = onPaper(figure);
  const QRect area({40, 100}, alone.size());
  QImage page(area.size() + QSize(80, 200), QImage::Format_RGB32);
  page.fill(paperPalette().panel);
  const QImage empty = page;
  QPainter painter(&page);
  figure.paintFigure(painter, area, paperPalette());
  if (!looksLike(page.copy(area), alone)) return false;
  painter.fillRect(area.adjusted(-1, -1, 1, 1), paperPalette().panel);
  return page == empty;
}

}  // namespace tfm::ui

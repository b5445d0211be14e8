// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPainter>

#include "ui/figure/figure.h"
#include "ui/style/palette.h"

namespace tfm::ui {

/// A figure as its export sees it, in light colours.
inline QImage onPaper(const Figure& figure) {
  QImage image(figure.figureSize().toSize(), QImage::Format_RGB32);
  image.fill(paperPalette().panel);
  QPainter painter(&image);
  figure.paintFigure(painter, image.rect(), paperPalette());
  return image;
}

/// Whether it paints the same on any part of a page, and nothing but the end of a line beside it:
/// under a title, say.
inline bool staysInItsArea(const Figure& figure) {
  const QImage alone = onPaper(figure);
  const QRect area({40, 100}, alone.size());
  QImage page(area.size() + QSize(80, 200), QImage::Format_RGB32);
  page.fill(paperPalette().panel);
  const QImage empty = page;
  QPainter painter(&page);
  figure.paintFigure(painter, area, paperPalette());
  if (page.copy(area) != alone) return false;
  painter.fillRect(area.adjusted(-1, -1, 1, 1), paperPalette().panel);
  return page == empty;
}

}  // namespace tfm::ui

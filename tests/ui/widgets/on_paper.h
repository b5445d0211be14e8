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

}  // namespace tfm::ui

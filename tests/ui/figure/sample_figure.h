// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPainter>
#include <limits>

#include "ui/figure/figure.h"
#include "ui/style/palette.h"

namespace tfm::ui {

/// A figure with one of everything: words, a line, a filled shape and, if asked, a picture of hard
/// cells.
class SampleFigure : public Figure {
 public:
  QString title = "Loss of rot13";
  QSizeF size{300, 200};
  bool picture = false;

  QString figureTitle() const override { return title; }
  QSizeF figureSize() const override { return size; }
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override {
    painter.setPen(palette.text);
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    painter.drawText(area, Qt::AlignCenter, "axis");
    painter.fillRect(QRectF(area.topLeft(), QSizeF(50, 50)), palette.positive);
    if (!picture) return;
    QImage cells(2, 2, QImage::Format_RGB32);
    cells.fill(Qt::red);
    cells.setPixelColor(1, 1, Qt::blue);
    painter.drawImage(QRectF(area.left() + 100, area.top(), 40, 40), cells);
  }
  DataTable figureData() const override {
    return {{"step", "loss, mean"},
            {{"1", fullPrecision(0.1)},
             {"say \"hi\"", fullPrecision(1.0 / 3)},
             {"two\nlines", fullPrecision(std::numeric_limits<double>::min())}}};
  }
};

}  // namespace tfm::ui

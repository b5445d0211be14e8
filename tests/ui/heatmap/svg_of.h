// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include "ui/figure/exporter.h"
#include "ui/figure/figure.h"

using tfm::ui::svgOf;

/// The figure at another size than its own.
inline QByteArray svgAt(const tfm::ui::Figure& figure, const QSizeF& size) {
  struct Sized : tfm::ui::Figure {
    Sized(const tfm::ui::Figure& of, const QSizeF& at) : figure(of), size(at) {}
    QString figureTitle() const override { return figure.figureTitle(); }
    QSizeF figureSize() const override { return size; }
    void paintFigure(QPainter& painter, const QRectF& area,
                     const tfm::ui::Palette& palette) const override {
      figure.paintFigure(painter, area, palette);
    }
    tfm::ui::DataTable figureData() const override { return figure.figureData(); }
    const tfm::ui::Figure& figure;
    QSizeF size;
  };
  return svgOf(Sized(figure, size));
}

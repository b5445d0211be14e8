// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QTemporaryDir>

#include "ui/figure/exporter.h"
#include "ui/figure/figure.h"

/// The figure as an SVG file's text.
inline QByteArray svgOf(const tfm::ui::Figure& figure) {
  const QTemporaryDir folder;
  QFile file(folder.filePath("figure.svg"));
  tfm::ui::exportFigure(figure, file.fileName());
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

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

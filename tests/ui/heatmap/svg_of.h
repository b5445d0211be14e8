// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QTemporaryDir>

#include "ui/figure/exporter.h"

/// The figure as an SVG file's text.
inline QByteArray svgOf(const tfm::ui::Figure& figure) {
  const QTemporaryDir folder;
  QFile file(folder.filePath("figure.svg"));
  tfm::ui::exportFigure(figure, file.fileName());
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

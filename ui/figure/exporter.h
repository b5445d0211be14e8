// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>

#include "ui/figure/figure.h"
#include "ui/figure/forward.h"

namespace tfm::ui {

/// The table as comma-separated values in UTF-8 (RFC 4180, lines ending in \n): the column names,
/// then the rows. Fields with commas, quotes or line breaks are quoted. Every row must have one
/// field per column.
QByteArray toCsv(const DataTable& table);

/// Writes the figure with its title to `path`, light as on paper: pixels (.png), vectors and text
/// (.svg, .pdf) or the numbers (.csv). The title is also in the file's metadata. `dpi` is the
/// resolution of a PNG. The file is written atomically; on failure an existing file stays. Throws
/// tfm::Error for an unknown extension, a picture too large for memory, or a failed write.
void exportFigure(const Figure& figure, const QString& path, double dpi = 300);

/// The figure with its title as the text of an SVG file.
QByteArray svgOf(const Figure& figure);

/// Renders the figure with its title. Throws tfm::Error if it is too large for memory.
QImage figureImage(const Figure& figure, double dpi = 300);

/// Copies the figure to the clipboard as an image and as SVG. Throws like figureImage().
void copyFigure(const Figure& figure);

}  // namespace tfm::ui

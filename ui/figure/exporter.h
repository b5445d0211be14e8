// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>
#include <optional>

#include "ui/figure/figure.h"
#include "ui/forward.h"
#include "ui/style/palette.h"

namespace tfm::ui {

/// The table as comma-separated values in UTF-8 (RFC 4180, lines ending in \n): the column names,
/// then the rows. Fields with commas, quotes or line breaks are quoted. Every row must have one
/// field per column.
QByteArray toCsv(const DataTable& table);

enum class FigureFormat { Png, Svg, Pdf, Csv };

struct ExportOptions {
  std::optional<FigureFormat> format = std::nullopt;  ///< by the path's extension if not given
  double dpi = 300;  ///< resolution of a PNG; other formats ignore it
  Palette palette = paperPalette();
};

/// Writes the figure with its title to `path`: pixels (PNG), vectors and text (SVG, PDF) or the
/// numbers (CSV). The title is also in the file's metadata. The file is written atomically; on
/// failure an existing file stays. Throws tfm::Error for an unknown extension, a picture too large
/// for memory, or a failed write.
void exportFigure(const Figure& figure, const QString& path, const ExportOptions& options = {});

/// Renders the figure with its title. Throws tfm::Error if it is too large for memory.
QImage figureImage(const Figure& figure, const ExportOptions& options = {});

/// Copies the figure to the clipboard as an image and as SVG. Throws like figureImage().
void copyFigure(const Figure& figure, const ExportOptions& options = {});

}  // namespace tfm::ui

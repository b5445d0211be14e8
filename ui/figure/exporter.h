// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>
#include <optional>

#include "ui/style/palette.h"

namespace tfm::ui {

class Figure;

enum class FigureFormat { Png, Svg, Pdf, Csv };

struct ExportOptions {
  std::optional<FigureFormat> format = std::nullopt;  ///< by the path's ending if not given
  double dpi = 300;  ///< dots an inch of a PNG; the other formats have no dots
  Palette palette = paperPalette();
};

/// Writes the figure with its title to `path`: pixels (PNG), vectors and text (SVG, PDF) or the
/// numbers (CSV). The title is in the file's metadata too. The file appears whole or not at all;
/// what was there before stays on failure. Throws tfm::Error for an unknown ending, a picture too
/// large for memory, or a failed write.
void exportFigure(const Figure& figure, const QString& path, const ExportOptions& options = {});

/// The figure with its title as a picture. Throws tfm::Error if it is too large for memory.
QImage figureImage(const Figure& figure, const ExportOptions& options = {});

/// Puts the figure on the clipboard, as a picture and as SVG. Throws like figureImage().
void copyFigure(const Figure& figure, const ExportOptions& options = {});

}  // namespace tfm::ui

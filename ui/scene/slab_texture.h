// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "ui/heatmap/color_scale.h"

namespace tfm::ui {

/// How the cells of a matrix map to the pixels of its texture. A small matrix gets many pixels per
/// cell and lines between cells; a large one a pixel per cell; one larger than OpenGL allows skips
/// rows or columns.
struct TextureGrid {
  int rows = 0, cols = 0;  ///< of the matrix
  int pixels_per_cell = 1;
  int row_step = 1, col_step = 1;  ///< every n-th row and column is shown

  TextureGrid(int rows, int cols);
  bool hasLines() const { return pixels_per_cell > 1; }
  int width() const;
  int height() const;
};

/// Paints values into a slab's texture: width() x height() pixels, row 0 first, in the byte order
/// of `colors` and `line`.
void paintTexture(std::span<const float> values, const TextureGrid& grid, const ColorTable& colors,
                  QRgb line, std::span<QRgb> out);

/// Fades the cells from row `rows` and column `cols` on into `ground`.
void fadeOutside(int rows, int cols, const TextureGrid& grid, QRgb ground, std::span<QRgb> pixels);

}  // namespace tfm::ui

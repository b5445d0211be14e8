// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/slab_texture.h"

#include <algorithm>

#include "core/base/check.h"

namespace tfm::ui {
namespace {

// A power of two, so that mipmaps have whole cells.
constexpr int kPixelsPerSmallCell = 16;
constexpr int kSmallSide = 128;
constexpr int kSmallCells = 2048;
constexpr int kKept = 44;       // of 256: the share of its colour that a faded cell keeps
constexpr int kMaxSide = 8192;  // supported by every OpenGL 3.2 driver in use

int shown(int count, int step) { return (count + step - 1) / step; }

}  // namespace

TextureGrid::TextureGrid(int rows, int cols)
    : rows(rows), cols(cols), row_step(shown(rows, kMaxSide)), col_step(shown(cols, kMaxSide)) {
  if (rows <= kSmallSide && cols <= kSmallSide && rows * cols <= kSmallCells)
    pixels_per_cell = kPixelsPerSmallCell;
}

int TextureGrid::width() const { return shown(cols, col_step) * pixels_per_cell; }

int TextureGrid::height() const { return shown(rows, row_step) * pixels_per_cell; }

void paintTexture(std::span<const float> values, const TextureGrid& grid, const ColorTable& colors,
                  QRgb line, std::span<QRgb> out) {
  const auto width = std::size_t(grid.width());
  const auto cols = std::size_t(grid.cols);
  check(out.size() == width * std::size_t(grid.height()), "the texture has the size of its grid");

  if (!grid.hasLines() && grid.row_step == 1 && grid.col_step == 1)
    return colors.colors(values, out.data());
  if (!grid.hasLines()) {
    for (std::size_t at = 0; at < out.size(); ++at)
      out[at] = colors.color(values[at / width * std::size_t(grid.row_step) * cols +
                                    at % width * std::size_t(grid.col_step)]);
    return;
  }
  const auto side = std::size_t(grid.pixels_per_cell);
  std::vector<QRgb> row_colors(cols);
  for (std::size_t row = 0; row < std::size_t(grid.rows); ++row) {
    colors.colors(values.subspan(row * cols, cols), row_colors.data());
    const std::span<QRgb> cells = out.subspan(row * side * width, side * width);
    const std::span<QRgb> first = cells.first(width);
    for (std::size_t x = 0; x < width; ++x)
      first[x] = x % side == side - 1 ? line : row_colors[x / side];
    for (std::size_t y = 1; y + 1 < side; ++y)
      std::ranges::copy(first, cells.subspan(y * width).begin());
    std::ranges::fill(cells.last(width), line);
  }
}

void fadeOutside(int rows, int cols, const TextureGrid& grid, QRgb ground, std::span<QRgb> pixels) {
  const auto faded = [](int from, int to) { return (from * kKept + to * (256 - kKept)) >> 8; };
  auto pixel = pixels.begin();
  for (int y = 0; y < grid.height(); ++y) {
    const bool below = y / grid.pixels_per_cell * grid.row_step >= rows;
    for (int x = 0; x < grid.width(); ++x, ++pixel) {
      if (!below && x / grid.pixels_per_cell * grid.col_step < cols) continue;
      *pixel = qRgb(faded(qRed(*pixel), qRed(ground)), faded(qGreen(*pixel), qGreen(ground)),
                    faded(qBlue(*pixel), qBlue(ground)));
    }
  }
}

}  // namespace tfm::ui

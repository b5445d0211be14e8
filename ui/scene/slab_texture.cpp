// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/slab_texture.h"

#include <algorithm>

#include "core/base/check.h"

namespace tfm::ui {
namespace {

constexpr int kPixelsPerSmallCell = 12;
constexpr int kSmallSide = 128;
constexpr int kSmallCells = 4096;
constexpr int kMaxSide = 8192;  // every OpenGL 3.2 driver in use can do this

int shown(int count, int step) { return (count + step - 1) / step; }

}  // namespace

TextureGrid::TextureGrid(int rows, int cols)
    : rows(rows), cols(cols), row_step(shown(rows, kMaxSide)), col_step(shown(cols, kMaxSide)) {
  if (rows <= kSmallSide && cols <= kSmallSide && rows * cols <= kSmallCells)
    pixels_per_cell = kPixelsPerSmallCell;
}

int TextureGrid::width() const {
  return shown(cols, col_step) * pixels_per_cell + (hasLines() ? 1 : 0);
}

int TextureGrid::height() const {
  return shown(rows, row_step) * pixels_per_cell + (hasLines() ? 1 : 0);
}

void paintTexture(const MatrixSlab& slab, const TextureGrid& grid, const ColourScale& scale,
                  const Rgba& line, std::span<Rgba> out) {
  const auto width = static_cast<std::size_t>(grid.width());
  const auto cols = static_cast<std::size_t>(grid.cols);
  check(out.size() == width * static_cast<std::size_t>(grid.height()), "a texture fits its grid");

  if (!grid.hasLines() && grid.row_step == 1 && grid.col_step == 1) {
    scale.fill(slab.values, out);
    return;
  }
  if (!grid.hasLines()) {
    for (Rgba& pixel : out) {
      const auto at = static_cast<std::size_t>(&pixel - out.data());
      pixel = scale.colour(slab.value(static_cast<int>(at / width) * grid.row_step,
                                      static_cast<int>(at % width) * grid.col_step));
    }
    return;
  }
  const auto side = static_cast<std::size_t>(grid.pixels_per_cell);
  std::vector<Rgba> colours(cols);
  std::fill_n(out.begin(), width, line);
  for (std::size_t row = 0; row < static_cast<std::size_t>(grid.rows); ++row) {
    scale.fill(std::span(slab.values).subspan(row * cols, cols), colours);
    const auto first = out.begin() + static_cast<std::ptrdiff_t>((row * side + 1) * width);
    first[0] = line;
    for (std::size_t x = 0; x < cols * side; ++x)
      first[static_cast<std::ptrdiff_t>(x + 1)] = (x + 1) % side == 0 ? line : colours[x / side];
    for (std::size_t copy = 1; copy + 1 < side; ++copy)
      std::copy_n(first, width, first + static_cast<std::ptrdiff_t>(copy * width));
    std::fill_n(first + static_cast<std::ptrdiff_t>((side - 1) * width), width, line);
  }
}

}  // namespace tfm::ui

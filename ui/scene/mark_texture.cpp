// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/mark_texture.h"

#include <QImage>
#include <QPainter>
#include <algorithm>
#include <vector>

#include "ui/growth/growth_marks.h"
#include "ui/style/palette.h"

namespace tfm::ui {
namespace {

using expand::Entry;

constexpr double kBlockUnits = 320;  // the unit of marks is the slab's longer side divided by this

/// What a block of rows and columns covers in the texture.
QRectF areaOf(const GrowthSpan& row, const GrowthSpan& col, const TextureGrid& grid) {
  const double across = double(grid.pixels_per_cell) / grid.col_step;
  const double down = double(grid.pixels_per_cell) / grid.row_step;
  const double line = grid.hasLines() ? 1.0 : 0.0;  // between cells
  return {col.at * across, row.at * down, col.count * across - line, row.count * down - line};
}

bool hasOther(std::span<const float> values, const GrowthSpan& row, const GrowthSpan& col,
              int cols) {
  for (int r = row.at; r < row.at + row.count; ++r)
    for (int c = col.at; c < col.at + col.count; ++c)
      if (values[std::size_t(r) * std::size_t(cols) + std::size_t(c)] != 0) return true;
  return false;
}

}  // namespace

void paintMarks(const GrowingSlab& slab, std::span<const float> values, const TextureGrid& grid,
                const Palette& palette, std::span<QRgb> pixels) {
  QImage image(reinterpret_cast<uchar*>(pixels.data()), grid.width(), grid.height(),
               grid.width() * 4, QImage::Format_RGBA8888);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  const double unit = std::max(1.0, std::max(grid.width(), grid.height()) / kBlockUnits);
  // Marks cover runs of the same kind, whatever the cell size: per cell or copy they would hide the
  // values of a distant slab.
  for (const GrowthSpan& row : slab.rows())
    for (auto col = slab.cols().begin(); col != slab.cols().end();) {
      const Entry entry = slab.entry(row, *col);
      GrowthSpan block = *col;
      while (++col != slab.cols().end() && slab.entry(row, *col) == entry)
        block.count += col->count;
      if (entry == Entry::Copied) continue;
      const QRectF area = areaOf(row, block, grid);
      painter.setClipRect(area);
      if (entry == Entry::Padding) painter.fillRect(area, paddingGround(palette));
      paintMark(painter, area, entry, palette.zero, palette, unit);
      if (entry == Entry::Zero && hasOther(values, row, block, grid.cols))
        paintViolation(painter, area, palette.zero, palette, unit);
    }
}

}  // namespace tfm::ui

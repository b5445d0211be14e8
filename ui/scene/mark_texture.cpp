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

class Marks {
 public:
  Marks(QPainter& painter, const GrowingSlab& slab, std::span<const float> values,
        const TextureGrid& grid, const Palette& palette)
      : painter_(painter), slab_(slab), values_(values), grid_(grid), palette_(palette) {}

  /// Marks cover runs of the same kind, whatever the cell size: per cell or copy they would hide
  /// the values of a distant slab.
  void paint() {
    const std::vector<GrowthSpan>& cols = slab_.cols();
    for (const GrowthSpan& row : slab_.rows()) {
      for (auto col = cols.begin(); col != cols.end();) {
        const Entry entry = slab_.entry(row, *col);
        GrowthSpan block = *col;
        while (++col != cols.end() && slab_.entry(row, *col) == entry) block.count += col->count;
        if (entry != Entry::Copied) paintBlock(row, block, entry);
      }
    }
  }

 private:
  bool violated(Entry entry, int row, int col) const {
    const auto at = std::size_t(row) * std::size_t(grid_.cols) + std::size_t(col);
    return entry == Entry::Zero && values_[at] != 0;
  }

  void paintBlock(const GrowthSpan& row, const GrowthSpan& col, Entry entry) {
    const double across = double(grid_.pixels_per_cell) / grid_.col_step;
    const double down = double(grid_.pixels_per_cell) / grid_.row_step;
    const double line = grid_.hasLines() ? 1.0 : 0.0;  // between cells
    const QRectF area(col.at * across, row.at * down, col.count * across - line,
                      row.count * down - line);
    const double unit = std::max(1.0, std::max(grid_.width(), grid_.height()) / kBlockUnits);
    painter_.setClipRect(area);
    paint(area, entry, palette_.zero, unit);
    for (int r = row.at; r < row.at + row.count; ++r)
      for (int c = col.at; c < col.at + col.count; ++c)
        if (violated(entry, r, c))
          return paintViolation(painter_, area, palette_.zero, palette_, unit);
  }

  void paint(const QRectF& area, Entry entry, const QColor& ground, double unit) {
    if (entry == Entry::Padding) painter_.fillRect(area, paddingGround(palette_));
    paintMark(painter_, area, entry, ground, palette_, unit);
  }

  QPainter& painter_;
  const GrowingSlab& slab_;
  std::span<const float> values_;
  const TextureGrid& grid_;
  const Palette& palette_;
};

}  // namespace

void paintMarks(const GrowingSlab& slab, std::span<const float> values, const TextureGrid& grid,
                const Palette& palette, std::span<QRgb> pixels) {
  QImage image(reinterpret_cast<uchar*>(pixels.data()), grid.width(), grid.height(),
               grid.width() * 4, QImage::Format_RGBA8888);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  Marks(painter, slab, values, grid, palette).paint();
}

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/mark_texture.h"

#include <QImage>
#include <QPainter>
#include <algorithm>

#include "ui/growth/growth_marks.h"

namespace tfm::ui {
namespace {

using expand::Entry;

constexpr double kBlockUnits =
    320;                           // marks of a large slab are as fine as its longer side over this
constexpr double kCellUnit = 0.9;  // of a mark inside the cell of a small slab, in pixels

class Marks {
 public:
  Marks(QPainter& painter, const GrowingSlab& slab, std::span<const float> values,
        const TextureGrid& grid, const Palette& palette)
      : painter_(painter), slab_(slab), values_(values), grid_(grid), palette_(palette) {}

  void paint(const QImage& image) {
    for (const GrowthSpan& row : slab_.rows()) {
      for (const GrowthSpan& col : slab_.cols()) {
        const Entry entry = slab_.entry(row, col);
        if (entry == Entry::Copied) continue;
        if (grid_.hasLines())
          paintCells(image, row, col, entry);
        else
          paintBlock(row, col, entry);
      }
    }
  }

 private:
  bool violated(Entry entry, int row, int col) const {
    const auto at = static_cast<std::size_t>(row) * static_cast<std::size_t>(grid_.cols) +
                    static_cast<std::size_t>(col);
    return entry == Entry::Zero && values_[at] != 0;
  }

  void paintCells(const QImage& image, const GrowthSpan& row, const GrowthSpan& col, Entry entry) {
    const int side = grid_.pixels_per_cell;
    for (int r = row.at; r < row.at + row.count; ++r) {
      for (int c = col.at; c < col.at + col.count; ++c) {
        const QRectF cell(c * side, r * side, side - 1, side - 1);
        const QColor ground = image.pixelColor(c * side, r * side);
        paint(cell, entry, ground, kCellUnit);
        if (violated(entry, r, c)) paintViolation(painter_, cell, ground, palette_, kCellUnit);
      }
    }
  }

  void paintBlock(const GrowthSpan& row, const GrowthSpan& col, Entry entry) {
    const QRectF area(double(col.at) / grid_.col_step, double(row.at) / grid_.row_step,
                      double(col.count) / grid_.col_step, double(row.count) / grid_.row_step);
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
                const Palette& palette, std::span<Rgba> pixels) {
  const QImage unmarked(reinterpret_cast<const uchar*>(pixels.data()), grid.width(), grid.height(),
                        grid.width() * 4, QImage::Format_RGBA8888);
  QImage image(reinterpret_cast<uchar*>(pixels.data()), grid.width(), grid.height(),
               grid.width() * 4, QImage::Format_RGBA8888);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  Marks(painter, slab, values, grid, palette).paint(unmarked);
}

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/nested_frames_painter.h"

#include <QFontMetricsF>
#include <QPainter>

#include "ui/heatmap/heat_map_painter.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr int kFadedAlpha = 208;  // of 255: what is outside can still be made out

}  // namespace

void paintNestedCells(QPainter& painter, std::span<const float> values, const CellGrid& grid,
                      const ColorTable& colors) {
  if (grid.rows * grid.cols <= kMostScreenRects && grid.gap > 0.0) {
    for (int row = 0; row < grid.rows; ++row)
      for (int col = 0; col < grid.cols; ++col)
        painter.fillRect(
            grid.cell(row, col),
            QColor(colors.color(
                values[std::size_t(row) * std::size_t(grid.cols) + std::size_t(col)])));
    return;
  }
  QImage image(grid.cols, grid.rows, QImage::Format_RGB32);
  fillHeatImage(image, 0, values, colors);
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  painter.drawImage(grid.bounds(), image);
}

void paintOutside(QPainter& painter, const NestedFramesLayout& layout, int width, int units,
                  const Palette& palette) {
  if (width >= units) return;
  QColor veil = palette.ground;
  veil.setAlpha(kFadedAlpha);
  for (const CellGrid& grid : {layout.reads, layout.writes}) {
    QRectF outside = grid.bounds();
    outside.setLeft(layout.edge(width));
    painter.fillRect(outside, veil);
  }
}

void paintFrames(QPainter& painter, const NestedFramesLayout& layout,
                 std::span<const WidthTick> ticks, int width, const Style& style,
                 const Palette& palette) {
  painter.setBrush(Qt::NoBrush);
  for (std::size_t i = ticks.size(); i-- > 0;) {
    const bool chosen = ticks[i].width == width;
    painter.setPen(
        QPen(chosen ? palette.accent : palette.muted, (chosen ? 2.0 : 1.2) * layout.unit));
    painter.drawRect(layout.frames[i]);
    if (layout.labels[i].isEmpty()) continue;
    painter.setFont(style.textFont(12, chosen ? QFont::Bold : QFont::DemiBold));
    painter.setPen(chosen ? palette.accent : palette.text);
    painter.drawText(layout.labels[i], Qt::AlignRight | Qt::AlignBottom | Qt::TextDontClip,
                     ticks[i].name);
  }
}

}  // namespace tfm::ui

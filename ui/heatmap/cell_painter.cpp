// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/cell_painter.h"

#include <QImage>
#include <QPainter>
#include <algorithm>
#include <vector>

namespace tfm::ui {
namespace {

constexpr std::size_t kMaxScreenShapes = 64 * 64;
constexpr std::size_t kMaxPaperShapes = 256 * 256;

void paintImage(QPainter& painter, const CellPlaces& places, const CellValues& cells,
                bool for_screen) {
  QImage image(places.cols, places.rows, QImage::Format_RGB32);
  const auto width = std::size_t(places.cols);
  for (int row = 0; row < places.rows; ++row)
    cells.colors.colors(cells.values.subspan(std::size_t(row) * width, width),
                        reinterpret_cast<QRgb*>(image.scanLine(row)));
  const QSize size = places.bounds().size().toSize();
  const bool crowded = 2 * size.width() < places.cols || 2 * size.height() < places.rows;
  if (for_screen && cells.averaged && crowded) {
    painter.drawImage(places.origin,
                      image.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
    return;
  }
  painter.setRenderHint(QPainter::SmoothPixmapTransform, cells.averaged && places.cell_width < 1.0);
  painter.drawImage(places.bounds(), image);
}

void paintShapes(QPainter& painter, const CellPlaces& places, const CellValues& cells) {
  struct ColoredCell {
    QRgb color;
    int row, col;
  };
  std::vector<ColoredCell> shapes;
  shapes.reserve(cells.values.size());
  std::size_t at = 0;
  for (int row = 0; row < places.rows; ++row)
    for (int col = 0; col < places.cols; ++col, ++at)
      if (cells.masked.empty() || !cells.masked[at])
        shapes.push_back({cells.colors.color(cells.values[at]), row, col});
  // Grouped by colour, so that a file does not repeat a colour thousands of times.
  std::stable_sort(shapes.begin(), shapes.end(),
                   [](const ColoredCell& a, const ColoredCell& b) { return a.color < b.color; });
  // Touching rectangles overlap slightly, else viewers show hairlines between them.
  const double overlap = places.gap > 0.0 ? 0.0 : 0.4;
  painter.setPen(Qt::NoPen);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const auto& [color, row, col] = shapes[i];
    if (i == 0 || color != shapes[i - 1].color) painter.setBrush(QColor(color));
    const QRectF cell = places.cell(row, col).adjusted(0, 0, overlap, overlap);
    if (cells.radius > 0.0)
      painter.drawRoundedRect(cell, cells.radius, cells.radius);
    else
      painter.drawRect(cell);
  }
}

}  // namespace

CellDetail paperDetail(std::size_t cells) {
  return cells <= kMaxPaperShapes ? CellDetail::Shapes : CellDetail::Image;
}

void paintCells(QPainter& painter, const CellPlaces& places, const CellValues& cells,
                CellDetail detail) {
  const bool for_screen = detail == CellDetail::Screen;
  const bool few = places.gap > 0.0 && cells.values.size() <= kMaxScreenShapes;
  painter.save();
  if (for_screen) painter.setRenderHint(QPainter::Antialiasing, cells.radius > 0.0);
  if (detail == CellDetail::Shapes || (for_screen && few))
    paintShapes(painter, places, cells);
  else
    paintImage(painter, places, cells, for_screen);
  painter.restore();
}

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/heat_grid_painter.h"

#include <QPainter>

#include "ui/heatmap/axis_labels.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

bool speaksOf(const MapCaption& caption, const std::optional<MapId>& id) {
  if (!id || caption.id.group != id->group) return false;
  switch (caption.of) {
    case MapCaption::Of::Group:
      return false;
    case MapCaption::Of::Layer:
      return caption.id.layer == id->layer;
    case MapCaption::Of::Head:
      return caption.id.head == id->head;
    case MapCaption::Of::Map:
      return caption.id == *id;
  }
  return false;
}

}  // namespace

void paintSmallCells(QPainter& painter, const MapStack& group, std::span<const float> values,
                     const CellGrid& grid, const ColorTable& colors) {
  const auto masked = group.masked();
  // Touching rectangles overlap a little: viewers show hairlines between them otherwise.
  const double overlap = grid.gap > 0.0 ? 0.0 : 0.3;
  std::size_t i = 0;
  for (int row = 0; row < grid.rows; ++row)
    for (int col = 0; col < grid.cols; ++col, ++i)
      if (masked.empty() || !masked[i])
        painter.fillRect(grid.cell(row, col).adjusted(0, 0, overlap, overlap),
                         QColor(colors.color(values[i])));
}

void paintGridCaptions(QPainter& painter, const HeatGridLayout& layout, const QRectF& visible,
                       const std::optional<MapId>& hovered, const std::optional<MapId>& locked,
                       const Style& style, const Palette& palette) {
  const QFont group_font = style.labelFont();
  const QFont font = style.textFont(10.5);
  for (const MapCaption& caption : layout.captions) {
    if (!caption.place.intersects(visible)) continue;
    const Emphasis emphasis = speaksOf(caption, locked)    ? Emphasis::Locked
                              : speaksOf(caption, hovered) ? Emphasis::Hovered
                                                           : Emphasis::None;
    painter.setFont(caption.of == MapCaption::Of::Group ? group_font : font);
    painter.setPen(labelColor(palette, emphasis));
    painter.drawText(caption.place, static_cast<int>(caption.alignment) | Qt::TextDontClip,
                     caption.text);
  }
}

void paintMapFrame(QPainter& painter, const QRectF& map, const QColor& color, double unit) {
  const double room = 4.0 * unit;
  painter.setPen(QPen(color, 2.0 * unit));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(map.adjusted(-room, -room, room, room), room, room);
}

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/heat_map_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/figure/number_text.h"
#include "ui/style/palette.h"

namespace tfm::ui {
namespace {

/// An arrow from the rows around the corner to the columns: rows look at columns.
void paintDirection(QPainter& painter, const HeatMapLayout& layout, const Palette& palette) {
  const double unit = layout.unit;
  const QPointF corner = layout.grid.origin - QPointF(1, 1) * (layout.label_space + 5.0 * unit);
  const double arm = 8.0 * unit;
  const double head = 3.0 * unit;
  QPainterPath path(corner + QPointF(0, arm));
  path.quadTo(corner, corner + QPointF(arm, 0));
  path.moveTo(corner + QPointF(arm - head, -head));
  path.lineTo(corner + QPointF(arm, 0));
  path.lineTo(corner + QPointF(arm - head, head));
  painter.setPen(QPen(palette.muted, 1.25 * unit, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path);
}

void paintTitles(QPainter& painter, const HeatMap& map, const HeatMapLayout& layout,
                 const Palette& palette) {
  painter.setFont(layout.title_font);
  painter.setPen(palette.muted);
  const QFontMetricsF metrics(layout.title_font);
  const QString arrow = QStringLiteral(" →");
  const QPointF origin = layout.grid.origin;
  if (!map.col_title.isEmpty()) {
    const double bottom = origin.y() - layout.label_space - std::ceil(layout.col_labels.extent);
    painter.drawText(QPointF(origin.x(), bottom - metrics.descent() - 4.0 * layout.unit),
                     map.col_title + arrow);
  }
  if (!map.row_title.isEmpty()) {
    const double right = origin.x() - layout.label_space - std::ceil(layout.row_labels.extent);
    painter.save();
    painter.translate(right - 4.0 * layout.unit - metrics.height(), origin.y());
    painter.rotate(90.0);
    painter.drawText(QPointF(0.0, -metrics.descent()), map.row_title + arrow);
    painter.restore();
  }
}

}  // namespace

void paintHeatMapAxes(QPainter& painter, const HeatMap& map, const HeatMapLayout& layout,
                      const Palette& palette, const HeatMapMarks& marks) {
  const auto row_emphasis = [&](int row) {
    if ((marks.locked && marks.locked->row == row) || marks.selected_rows.contains(row))
      return Emphasis::Locked;
    return marks.hovered && marks.hovered->row == row ? Emphasis::Hovered : Emphasis::None;
  };
  const auto col_emphasis = [&](int col) {
    if (marks.locked && marks.locked->col == col) return Emphasis::Locked;
    return marks.hovered && marks.hovered->col == col ? Emphasis::Hovered : Emphasis::None;
  };
  paintRowLabels(painter, layout.row_labels, layout.grid, layout.label_space, palette,
                 row_emphasis);
  paintColumnLabels(painter, layout.col_labels, layout.grid, layout.label_space, palette,
                    col_emphasis);
  paintTitles(painter, map, layout, palette);
  if (!map.row_title.isEmpty() && !map.col_title.isEmpty())
    paintDirection(painter, layout, palette);
  for (const int row : marks.selected_rows) {
    const double bar = 3.0 * layout.unit;
    painter.fillRect(
        QRectF(layout.grid.origin.x() - bar - layout.unit, layout.grid.cell(row, 0).top(), bar,
               std::max(1.0, layout.grid.cell(row, 0).height())),
        palette.mark);
  }
}

void paintHeatMapNumbers(QPainter& painter, const HeatMap& map, const HeatMapLayout& layout,
                         const ColorTable& colors) {
  if (!layout.numbers) return;
  painter.setFont(layout.number_font);
  for (int row = 0; row < map.rows; ++row) {
    for (int col = 0; col < map.cols; ++col) {
      if (map.isMasked(row, col)) continue;
      const float value = map.value(row, col);
      painter.setPen(readableOn(QColor(colors.color(value))));
      painter.drawText(layout.grid.cell(row, col), Qt::AlignCenter,
                       fixedNumber(value, layout.decimals));
    }
  }
}

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/heat_map_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/figure/number_text.h"
#include "ui/style/palette.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kTitleFont = 12.0;
constexpr double kLargestCell = 88.0;
constexpr double kMapLegendSpace = 24.0;
constexpr double kNumberRoom = 4.0;  // beside a number, the gap between cells included

double titleHeight(const QString& title, const Style& style) {
  return title.isEmpty() ? 0.0
                         : QFontMetricsF(style.textFont(kTitleFont)).height() + 6.0 * style.scale();
}

/// The margins around cells that are `pitch` apart.
struct Margins {
  AxisLabels rows, cols;
  double left, top;
};

Margins marginsFor(const HeatMap& map, const Style& style, double pitch) {
  Margins margins{fitRowLabels(map.row_labels, pitch, style),
                  fitColumnLabels(map.col_labels, pitch, style), 0.0, 0.0};
  const double space = 8.0 * style.scale();
  margins.left = titleHeight(map.row_title, style) + std::ceil(margins.rows.extent) + space;
  margins.top = titleHeight(map.col_title, style) + std::ceil(margins.cols.extent) + space;
  return margins;
}

/// The widest number on the scale.
double numberWidth(const ColorScale& scale, int decimals, const QFontMetricsF& metrics) {
  return std::max(metrics.horizontalAdvance(fixedNumber(scale.low, decimals)),
                  metrics.horizontalAdvance(fixedNumber(scale.high, decimals)));
}

void fitNumbers(const HeatMap& map, const Style& style, HeatMapLayout& layout) {
  const int most = map.scale.decimals();
  // Fewer decimals rather than no numbers; at least one.
  const int least = std::max(most - 2, std::min(most, 1));
  for (layout.decimals = most; layout.decimals >= least; --layout.decimals) {
    for (const double size : {13.0, 12.0, 10.5}) {
      layout.number_font = style.numberFont(size);
      const QFontMetricsF metrics(layout.number_font);
      layout.numbers =
          numberWidth(map.scale, layout.decimals, metrics) + kNumberRoom * layout.unit <=
              layout.grid.cell_width &&
          metrics.height() <= layout.grid.cell_height;
      if (layout.numbers) return;
    }
  }
}

double gapFor(double pitch, double unit) {
  if (pitch >= 20.0 * unit) return std::max(2.0, std::round(1.5 * unit));
  return pitch >= 6.0 ? 1.0 : 0.0;
}

QSizeF sizeAt(const HeatMap& map, const Legend& legend, const Style& style, double pitch) {
  const Margins margins = marginsFor(map, style, pitch);
  const QSizeF key = legendSize(legend, style, pitch * map.rows);
  return {margins.left + pitch * map.cols + kMapLegendSpace * style.scale() + key.width(),
          margins.top + std::max(pitch * map.rows, key.height())};
}

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

HeatMapLayout layOutHeatMap(const HeatMap& map, const Legend& legend, const Style& style,
                            const QRectF& area) {
  HeatMapLayout layout;
  layout.unit = style.scale();
  layout.title_font = style.textFont(kTitleFont);
  layout.label_space = 8.0 * layout.unit;
  if (map.rows == 0 || map.cols == 0) return layout;

  const double legend_width =
      legendSize(legend, style, area.height()).width() + kMapLegendSpace * layout.unit;
  const auto pitchInside = [&](const Margins& margins) {
    const double pitch = std::min(
        (area.width() - margins.left - legend_width) / std::max(map.cols, map.most_cols),
        (area.height() - margins.top) / std::max(map.rows, map.most_rows));
    const double bounded = std::min(pitch, kLargestCell * layout.unit);
    // Whole pixels look crisp; a map of very many cells needs the fractions too.
    return bounded >= 4.0 ? std::floor(bounded) : std::max(bounded, 0.01);
  };
  // Labels depend on the cell size and vice versa: shrink the cells until their labels fit.
  double pitch = pitchInside(marginsFor(map, style, kLargestCell * layout.unit));
  Margins margins = marginsFor(map, style, pitch);
  double inside = pitchInside(margins);
  for (; inside < pitch; inside = pitchInside(margins)) {
    pitch = inside;
    margins = marginsFor(map, style, pitch);
  }
  pitch = inside;  // labels for smaller cells fit these too

  layout.row_labels = margins.rows;
  layout.col_labels = margins.cols;
  layout.grid = {area.topLeft() + QPointF(margins.left, margins.top),
                 pitch,
                 pitch,
                 gapFor(pitch, layout.unit),
                 map.rows,
                 map.cols};
  layout.radius = pitch >= 24.0 * layout.unit ? 2.0 * layout.unit : 0.0;
  fitNumbers(map, style, layout);
  const QRectF cells = layout.grid.bounds();
  layout.legend = {QPointF(cells.right() + kMapLegendSpace * layout.unit, cells.top()),
                   legendSize(legend, style, area.bottom() - cells.top())};
  return layout;
}

QSizeF naturalHeatMapSize(const HeatMap& map, const Legend& legend, const Style& style) {
  const int longer = std::max({map.rows, map.cols, 1});
  const double pitch = std::floor(std::clamp(560.0 / longer, 2.0, 72.0) * style.scale());
  return sizeAt(map, legend, style, std::max(pitch, leastLabelPitch(style)));
}

QSizeF leastHeatMapSize(const HeatMap& map, const Legend& legend, const Style& style) {
  // A map of few cells is smallest with cells large enough for labels on one level.
  QSizeF least;
  for (const double larger : {1.0, 1.5, 2.0, 3.0, 4.5}) {
    const QSizeF size = sizeAt(map, legend, style, larger * leastLabelPitch(style));
    if (least.isEmpty() || size.width() + size.height() < least.width() + least.height())
      least = size;
  }
  return least;
}

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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/growth_overlay.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>
#include <algorithm>

#include "ui/style/style.h"

namespace tfm::ui {

std::vector<FreshBlock> freshBlocks(std::span<const GrowingSlab> slabs,
                                    std::span<const MatrixSlab> after) {
  constexpr std::size_t kMaxStrips = 24;
  std::vector<FreshBlock> blocks;
  for (std::size_t i = 0; i < slabs.size(); ++i) {
    const int index = int(i), rows = after[i].rows, cols = after[i].cols;
    if (slabs[i].before() < 0) {
      blocks.push_back({index, 0, 0, rows, cols});
      continue;
    }
    const std::size_t first = blocks.size();
    for (const GrowthSpan& row : slabs[i].rows())
      if (row.isNew()) blocks.push_back({index, row.at, 0, row.count, cols});
    for (const GrowthSpan& col : slabs[i].cols())
      if (col.isNew()) blocks.push_back({index, 0, col.at, rows, col.count});
    if (blocks.size() - first > kMaxStrips) blocks.resize(first);
  }
  return blocks;
}

void paintFresh(QPainter& painter, std::span<const FreshBlock> fresh,
                const std::function<QPolygonF(const FreshBlock&)>& outline_of,
                const Palette& palette, const Style& style) {
  constexpr int kFewPieces = 3;
  painter.setBrush(Qt::NoBrush);
  for (std::size_t i = 0; i < fresh.size();) {
    const int slab = fresh[i].slab;
    int pieces = 0;
    QPainterPath path;
    for (; i < fresh.size() && fresh[i].slab == slab; ++i, ++pieces) {
      QPainterPath one;
      one.addPolygon(outline_of(fresh[i]));
      one.closeSubpath();
      path = path.united(one);
    }
    QColor colour = palette.text;
    colour.setAlphaF(pieces <= kFewPieces ? 0.8F : 0.45F);
    QPen pen(colour, style.px(1.25), Qt::CustomDashLine, Qt::FlatCap, Qt::MiterJoin);
    pen.setDashPattern({3, 2.5});
    painter.setPen(pen);
    painter.drawPath(path);
  }
}

void paintGhosts(QPainter& painter, std::span<const Ghost> ghosts, const Camera& camera,
                 const QSizeF& size, const Palette& palette, const Style& style) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  for (const Ghost& ghost : ghosts) {
    QPolygonF outline;
    for (const QVector3D& corner : ghost.corners)
      if (const auto seen = camera.project(corner, size)) outline << *seen;
    if (outline.size() < 4) continue;
    QColor fill = palette.accent;
    fill.setAlphaF(0.10);
    painter.setBrush(fill);
    painter.setPen(QPen(palette.accent, style.px(1.25), Qt::CustomDashLine, Qt::FlatCap));
    QPen pen = painter.pen();
    pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.drawPolygon(outline);
    painter.setPen(QPen(palette.accent, style.px(1.5), Qt::SolidLine, Qt::FlatCap));
    for (const auto& [from, to] : ghost.cuts) {
      const auto a = camera.project(from, size), b = camera.project(to, size);
      if (a && b) painter.drawLine(*a, *b);
    }
  }
  painter.restore();
}

QRectF paintMarkLegend(QPainter& painter, const QPointF& corner, double width,
                       std::span<const GrowthMark> marks, const Palette& palette,
                       const Style& style) {
  const QFont font = style.textFont(12);
  const QFontMetricsF metrics(font);
  const double side = style.px(16), gap = style.px(6), between = style.px(18);
  const double line = std::max(side, metrics.height()) + style.px(6);
  std::vector<QSizeF> sizes;
  for (const GrowthMark& mark : marks)
    sizes.emplace_back(side + gap + metrics.horizontalAdvance(mark.words), line);
  const std::vector<QRectF> places = inRows(sizes, width, {between, 0});
  QRectF area;
  for (const QRectF& place : places) area |= place;
  area.moveBottomLeft(corner);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(font);
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const QRectF place = places[i].translated(area.topLeft());
    const QRectF swatch(place.left(), place.center().y() - side / 2, side, side);
    paintMarkSwatch(painter, swatch, marks[i], palette, style.scale());
    painter.setPen(palette.text);
    painter.drawText(place.adjusted(side + gap, 0, style.px(2), 0),
                     Qt::AlignLeft | Qt::AlignVCenter, marks[i].words);
  }
  painter.restore();
  return area;
}

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/mark_shape.h"

#include <QPainter>
#include <QPolygonF>
#include <cmath>
#include <numbers>

namespace tfm::ui {
namespace {

constexpr double kHollowRadius = 3.6, kCrossRadius = 4.5;

/// A regular polygon, first corner `turn` of a full circle clockwise from the top.
struct Shape {
  int corners;  ///< 0 for a circle
  double turn;
  double radius;  ///< so that all shapes look equally large
};
constexpr Shape kShapes[] = {
    {0, 0, 0.95}, {4, 0.125, 1.25}, {3, 0, 1.35}, {4, 0, 1.3}, {3, 0.5, 1.35}};

QPolygonF polygon(const Shape& shape, const QPointF& centre) {
  QPolygonF corners;
  for (int i = 0; i < shape.corners; ++i) {
    const double angle = 2 * std::numbers::pi * (shape.turn + double(i) / shape.corners);
    corners << centre + kMarkRadius * shape.radius * QPointF(std::sin(angle), -std::cos(angle));
  }
  return corners;
}

}  // namespace

QColor markColour(ElasticKind kind, int size, const PlotLook& look) {
  if (kind == ElasticKind::Mixed || size < 0) return look.palette.muted;
  return look.seriesColour(size);
}

void paintMark(QPainter& painter, const QPointF& centre, ElasticKind kind, int size, bool on_front,
               const PlotLook& look) {
  const QColor colour = markColour(kind, size, look);
  if (kind == ElasticKind::Mixed) {
    painter.setPen(QPen(on_front ? look.palette.text : colour, 1.5));
    painter.setBrush(look.palette.panel);
    painter.drawEllipse(centre, kHollowRadius, kHollowRadius);
    return;
  }
  if (kind == ElasticKind::Separate) {
    painter.setPen(QPen(colour, 2.2, Qt::SolidLine, Qt::FlatCap));
    const QPointF down(kCrossRadius, kCrossRadius), up(kCrossRadius, -kCrossRadius);
    painter.drawLine(centre - down, centre + down);
    painter.drawLine(centre - up, centre + up);
    return;
  }
  // A rim in the background colour separates overlapping marks.
  painter.setPen(QPen(look.palette.panel, 1));
  painter.setBrush(colour);
  const Shape& shape = kShapes[std::size_t(std::max(size, 0)) % std::size(kShapes)];
  if (shape.corners == 0)
    painter.drawEllipse(centre, kMarkRadius * shape.radius, kMarkRadius * shape.radius);
  else
    painter.drawPolygon(polygon(shape, centre));
}

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/size_edges.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/style/palette.h"

namespace tfm::ui {
namespace {

constexpr Qt::Edge kEdges[] = {Qt::RightEdge, Qt::BottomEdge};
constexpr double kGrip = 28.0;  // length of a handle
constexpr double kThick = 5.0;
constexpr double kAway = 3.0;   // from the matrix
constexpr double kReach = 5.0;  // pixels within which the pointer grabs a handle

const GrownAxis& axisOf(Qt::Edge edge, const GrownCells& cells) {
  return edge == Qt::RightEdge ? cells.colAxis() : cells.rowAxis();
}

/// A point's coordinate along the axis that ends at an edge.
double pastEnd(Qt::Edge edge, const QPointF& point, const QRectF& bounds) {
  return edge == Qt::RightEdge ? point.x() - bounds.right() : point.y() - bounds.bottom();
}

}  // namespace

bool SizeEdges::canDrag(Qt::Edge edge, const Matrix& matrix) const {
  if (!allowed_.testFlag(edge) || matrix.cells.isEmpty() || !matrix.at_rest) return false;
  const GrownAxis& axis = axisOf(edge, matrix.cells);
  return axis.before > 0 && !axis.name.isEmpty();
}

QRectF SizeEdges::handle(Qt::Edge edge, const Matrix& matrix) const {
  if (!canDrag(edge, matrix)) return {};
  const double unit = matrix.unit, thick = kThick * unit, away = kAway * unit;
  const QRectF& bounds = matrix.bounds;
  const double along = edge == Qt::RightEdge ? bounds.height() : bounds.width();
  const double length = std::min(kGrip * unit, std::max(along, 12.0 * unit));
  if (edge == Qt::RightEdge)
    return {bounds.right() + away, bounds.center().y() - length / 2, thick, length};
  return {bounds.center().x() - length / 2, bounds.bottom() + away, length, thick};
}

std::optional<Qt::Edge> SizeEdges::at(const QPointF& point, const Matrix& matrix) const {
  const double reach = kReach * matrix.unit;
  for (const Qt::Edge edge : kEdges) {
    QRectF area = handle(edge, matrix);
    if (area.isEmpty()) continue;
    // The whole edge can be dragged, not only its handle.
    const QRectF& bounds = matrix.bounds;
    if (edge == Qt::RightEdge) {
      area.setTop(std::min(area.top(), bounds.top()));
      area.setBottom(std::max(area.bottom(), bounds.bottom()));
    } else {
      area.setLeft(std::min(area.left(), bounds.left()));
      area.setRight(std::max(area.right(), bounds.right()));
    }
    if (area.adjusted(-reach + 2, -reach + 2, reach, reach).contains(point)) return edge;
  }
  return std::nullopt;
}

std::optional<Qt::CursorShape> SizeEdges::cursorAt(const QPointF& point,
                                                   const Matrix& matrix) const {
  const auto edge = at(point, matrix);
  if (!edge) return std::nullopt;
  return *edge == Qt::RightEdge ? Qt::SizeHorCursor : Qt::SizeVerCursor;
}

void SizeEdges::take(const QPointF& point, const Matrix& matrix) {
  if (const auto edge = at(point, matrix))
    drag_ = Drag{*edge, pastEnd(*edge, point, matrix.bounds), axisOf(*edge, matrix.cells).after};
}

std::optional<SizeEdges::Dragged> SizeEdges::dragTo(const QPointF& point, const Matrix& matrix) {
  if (!drag_) return std::nullopt;
  const GrownAxis& axis = axisOf(drag_->edge, matrix.cells);
  const double moved = pastEnd(drag_->edge, point, matrix.bounds) - drag_->press;
  const int size =
      std::max(axis.before,
               axis.after + static_cast<int>(std::lround(moved / std::max(matrix.pitch, 1e-6))));
  if (size == drag_->size) return std::nullopt;
  drag_->size = size;
  return Dragged{drag_->edge == Qt::RightEdge ? Qt::Horizontal : Qt::Vertical, size};
}

void SizeEdges::paint(QPainter& painter, const Palette& palette, const Matrix& matrix) const {
  painter.setPen(Qt::NoPen);
  painter.setBrush(palette.accent);
  for (const Qt::Edge edge : kEdges)
    painter.drawRoundedRect(handle(edge, matrix), 2.5 * matrix.unit, 2.5 * matrix.unit);
  if (!drag_) return;
  const QRectF& bounds = matrix.bounds;
  const double far = (drag_->size - axisOf(drag_->edge, matrix.cells).after) * matrix.pitch;
  painter.setPen(QPen(palette.accent, 2.0 * matrix.unit));
  if (drag_->edge == Qt::RightEdge)
    painter.drawLine(bounds.topRight() + QPointF(far, 0), bounds.bottomRight() + QPointF(far, 0));
  else
    painter.drawLine(bounds.bottomLeft() + QPointF(0, far), bounds.bottomRight() + QPointF(0, far));
}

}  // namespace tfm::ui

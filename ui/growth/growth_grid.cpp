// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/growth_grid.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr Qt::Edge kEdges[] = {Qt::RightEdge, Qt::BottomEdge};
constexpr double kGrip = 28.0;  // length of a handle
constexpr double kThick = 5.0;
constexpr double kAway = 3.0;   // from the matrix
constexpr double kReach = 5.0;  // pixels within which the pointer grabs a handle

const GrownAxis& gridAxisOf(Qt::Edge edge, const GrownCells& cells) {
  return edge == Qt::RightEdge ? cells.colAxis() : cells.rowAxis();
}

/// A point's coordinate along the axis that ends at an edge.
double pastEnd(Qt::Edge edge, const QPointF& point, const QRectF& bounds) {
  return edge == Qt::RightEdge ? point.x() - bounds.right() : point.y() - bounds.bottom();
}

}  // namespace

void GrowthGrid::setProgress(double progress) {
  progress = std::clamp(progress, 0.0, 1.0);
  if (progress == progress_) return;
  progress_ = progress;
  progressChanged();
}

void GrowthGrid::setDraggable(Qt::Edges edges) {
  draggable_ = edges;
  viewport()->update();
}

QRectF GrowthGrid::handle(Qt::Edge edge) const {
  const auto matrix = standing();
  if (!draggable_.testFlag(edge) || !matrix || matrix->cells.isEmpty() || progress_ < 1.0)
    return {};
  const GrownAxis& axis = gridAxisOf(edge, matrix->cells);
  if (axis.before == 0 || axis.name.isEmpty()) return {};
  const double unit = style().scale(), thick = kThick * unit, away = kAway * unit;
  const QRectF& bounds = matrix->bounds;
  const double along = edge == Qt::RightEdge ? bounds.height() : bounds.width();
  const double length = std::min(kGrip * unit, std::max(along, 12.0 * unit));
  if (edge == Qt::RightEdge)
    return {bounds.right() + away, bounds.center().y() - length / 2, thick, length};
  return {bounds.center().x() - length / 2, bounds.bottom() + away, length, thick};
}

std::optional<Qt::Edge> GrowthGrid::edgeAt(const QPointF& point) const {
  const double reach = kReach * style().scale();
  for (const Qt::Edge edge : kEdges) {
    QRectF area = handle(edge);
    if (area.isEmpty()) continue;
    // The whole edge can be dragged, not only its handle.
    const QRectF bounds = standing()->bounds;
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

std::optional<Qt::CursorShape> GrowthGrid::handleAt(const QPointF& point) const {
  const auto edge = edgeAt(point);
  if (!edge) return std::nullopt;
  return *edge == Qt::RightEdge ? Qt::SizeHorCursor : Qt::SizeVerCursor;
}

QString GrowthGrid::tipAt(const QPointF& point) const {
  return handleAt(point) ? tr("Drag to choose the new size") : CellGrid::tipAt(point);
}

void GrowthGrid::takeHandle(const QPointF& point) {
  const auto edge = edgeAt(point);
  if (!edge) return;
  const auto matrix = standing();
  drag_ =
      Drag{*edge, pastEnd(*edge, point, matrix->bounds), gridAxisOf(*edge, matrix->cells).after};
}

void GrowthGrid::dragTo(const QPointF& point) {
  const auto matrix = standing();
  if (!drag_ || !matrix) return;
  const GrownAxis& axis = gridAxisOf(drag_->edge, matrix->cells);
  const double moved = pastEnd(drag_->edge, point, matrix->bounds) - drag_->press;
  const int size =
      std::max(axis.before, axis.after + int(std::lround(moved / std::max(matrix->pitch, 1e-6))));
  if (std::exchange(drag_->size, size) == size) return;
  viewport()->update();
  emit sizeDragged(drag_->edge == Qt::RightEdge ? Qt::Horizontal : Qt::Vertical, size);
}

void GrowthGrid::paintOver(QPainter& painter) {
  CellGrid::paintOver(painter);
  const auto matrix = standing();
  if (!matrix) return;
  const double unit = style().scale();
  const QColor& accent = style().palette().accent;
  painter.setPen(Qt::NoPen);
  painter.setBrush(accent);
  for (const Qt::Edge edge : kEdges) painter.drawRoundedRect(handle(edge), 2.5 * unit, 2.5 * unit);
  if (!drag_) return;
  const QRectF& bounds = matrix->bounds;
  const double far = (drag_->size - gridAxisOf(drag_->edge, matrix->cells).after) * matrix->pitch;
  painter.setPen(QPen(accent, 2.0 * unit));
  if (drag_->edge == Qt::RightEdge)
    painter.drawLine(bounds.topRight() + QPointF(far, 0), bounds.bottomRight() + QPointF(far, 0));
  else
    painter.drawLine(bounds.bottomLeft() + QPointF(0, far), bounds.bottomRight() + QPointF(0, far));
}

}  // namespace tfm::ui

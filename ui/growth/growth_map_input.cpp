// SPDX-License-Identifier: GPL-3.0-or-later
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/growth/growth_map.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kReach = 5.0;  // how near the pointer must come to a handle

}  // namespace

std::optional<Qt::Edge> GrowthMap::edgeAt(const QPointF& point) const {
  const double reach = kReach * style_.scale();
  for (const Qt::Edge edge : {Qt::RightEdge, Qt::BottomEdge}) {
    QRectF area = handleRect(edge);
    if (area.isEmpty()) continue;
    // The whole edge can be taken, not just its handle.
    const QRectF bounds = places_.bounds();
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

void GrowthMap::dragTo(const QPointF& point) {
  const bool columns = drag_->along == Qt::Horizontal;
  const double place = columns ? point.x() - places_.origin.x() : point.y() - places_.origin.y();
  const GrownAxis& axis = columns ? cells_.colAxis() : cells_.rowAxis();
  const AxisPlaces& line = columns ? places_.cols : places_.rows;
  const double moved = place - drag_->press - line.extent;
  const int size = std::max(
      axis.before, axis.after + static_cast<int>(std::lround(moved / std::max(line.pitch, 1e-6))));
  if (size == drag_->size) return;
  drag_->size = size;
  update();
  emit sizeDragged(drag_->along, size);
}

bool GrowthMap::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return CellWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto cell = progress_ < 1.0 ? std::nullopt : places_.at(help->pos());
  if (cell)
    QToolTip::showText(help->globalPos(), describe(cell->row, cell->col), this,
                       cellRect(cell->row, cell->col).toAlignedRect());
  else if (edgeAt(help->pos()))
    QToolTip::showText(help->globalPos(), tr("Drag to choose the new size"), this);
  else
    QToolTip::hideText();
  return true;
}

void GrowthMap::resizeEvent(QResizeEvent*) { layOut(); }

void GrowthMap::mouseMoveEvent(QMouseEvent* event) {
  if (drag_) return dragTo(event->position());
  const auto edge = edgeAt(event->position());
  if (edge)
    setCursor(*edge == Qt::RightEdge ? Qt::SizeHorCursor : Qt::SizeVerCursor);
  else
    unsetCursor();
  hover(edge || progress_ < 1.0 ? std::nullopt : places_.at(event->position()));
}

void GrowthMap::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  if (const auto edge = edgeAt(event->position())) {
    const bool columns = *edge == Qt::RightEdge;
    const QPointF from_end = event->position() - places_.bounds().bottomRight();
    drag_ = Drag{columns ? Qt::Horizontal : Qt::Vertical, columns ? from_end.x() : from_end.y(),
                 columns ? cells_.cols() : cells_.rows()};
    update();
    return;
  }
  const auto cell = progress_ < 1.0 ? std::nullopt : places_.at(event->position());
  if (!cell) return event->ignore();
  hover(cell);
  click(*cell);
}

void GrowthMap::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !drag_) return CellWidget::mouseReleaseEvent(event);
  drag_.reset();
  layOut();
  emit dragFinished();
}

QString GrowthMap::accessibleTitle() const {
  return tr("%1, %2").arg(figureTitle(), cells_.shapeText());
}

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/elastic/nested_frames.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kReach = 6.0;  // how near the pointer must come to the edge
constexpr double kSnap = 4.0;   // pixels around a frame

}  // namespace

bool NestedFrames::onEdge(const QPointF& place) const {
  const double reach = kReach * style_.scale();
  return edgeRect().adjusted(-reach, 0, reach, 0).contains(place) && width_ > 0;
}

void NestedFrames::dragTo(double x) {
  const double wanted = (x - *grip_ - layout_.reads.origin.x()) / layout_.reads.cell_width;
  const double reach = kSnap * style_.scale() / layout_.reads.cell_width;
  const int width = snapped(std::clamp(int(std::lround(wanted)), 1, layer_.units), ticks_, reach);
  if (width == width_) return;
  setWidth(width);
  emit widthDragged(width);
}

bool NestedFrames::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return CellWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  if (onEdge(help->pos()))
    QToolTip::showText(help->globalPos(), tr("Drag to choose the width of this layer"), this);
  else if (const auto cell = cellAt(help->pos()))
    QToolTip::showText(help->globalPos(), describe(cell->row, cell->col), this);
  else
    QToolTip::hideText();
  return true;
}

void NestedFrames::resizeEvent(QResizeEvent*) { layOutAgain(); }

void NestedFrames::mouseMoveEvent(QMouseEvent* event) {
  if (grip_) return dragTo(event->position().x());
  const bool edge = onEdge(event->position());
  setCursor(edge ? Qt::SizeHorCursor : Qt::ArrowCursor);
  hover(edge ? std::nullopt : cellAt(event->position()));
}

void NestedFrames::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  if (onEdge(event->position())) {
    grip_ = event->position().x() - layout_.edge(width_);
    return;
  }
  const auto cell = cellAt(event->position());
  if (!cell) return event->ignore();
  hover(cell);
  click(*cell);
}

void NestedFrames::mouseReleaseEvent(QMouseEvent*) { grip_.reset(); }

}  // namespace tfm::ui

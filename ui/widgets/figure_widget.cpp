// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/figure_widget.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollArea>

#include "ui/style/style.h"

namespace tfm::ui {

FigureWidget::FigureWidget(const Style& style, QWidget* parent) : QWidget(parent), style_(style) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(&style_, &Style::changed, this, [this] {
    updateGeometry();
    update();
  });
}

void FigureWidget::setTitle(const QString& title) {
  title_ = title;
  setAccessibleName(title);
}

QSize FigureWidget::sizeHint() const {
  const QSizeF size = figureSize() + QSizeF(2 * kFrame, 2 * kFrame);
  return (size * style_.scale()).toSize();
}

void FigureWidget::contentChanged() {
  setMarks(hoveredItem(), lockedItem());
  updateGeometry();
  update();
}

QRectF FigureWidget::area() const {
  return QRectF(QPointF(), QSizeF(size()) / style_.scale())
      .adjusted(kFrame, kFrame, -kFrame, -kFrame);
}

QRectF FigureWidget::itemRect(int item) const {
  const QRectF place = itemArea(item, area());
  return {place.topLeft() * style_.scale(), place.size() * style_.scale()};
}

void FigureWidget::reveal(int item) {
  for (QWidget* around = parentWidget(); around != nullptr; around = around->parentWidget()) {
    auto* scroll = qobject_cast<QScrollArea*>(around);
    if (scroll == nullptr) continue;
    const QPoint centre = mapTo(scroll->widget(), itemRect(item).center().toPoint());
    return scroll->ensureVisible(centre.x(), centre.y());
  }
}

void FigureWidget::itemLocked(int item) {
  if (item >= 0)
    emit locked(item);
  else
    emit unlocked();
}

bool FigureWidget::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  showItemTip(*static_cast<QHelpEvent*>(event));
  return true;
}

void FigureWidget::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.save();
  painter.scale(style_.scale(), style_.scale());
  paintFigure(painter, area(), style_.palette());
  painter.restore();
  paintMarks(painter, style_, hasFocus() ? QRectF(rect()) : QRectF());
}

void FigureWidget::keyPressEvent(QKeyEvent* event) {
  if (!takeKey(event->key())) QWidget::keyPressEvent(event);
}

void FigureWidget::mouseMoveEvent(QMouseEvent* event) { hoverItem(itemUnder(event->position())); }

void FigureWidget::mousePressEvent(QMouseEvent* event) {
  const int item = itemUnder(event->position());
  if (event->button() != Qt::LeftButton || item < 0) return QWidget::mousePressEvent(event);
  hoverItem(item);
  click(cellOf(item));
}

void FigureWidget::leaveEvent(QEvent*) { hoverItem(-1); }

}  // namespace tfm::ui

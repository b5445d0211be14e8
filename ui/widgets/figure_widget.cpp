// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/figure_widget.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QLineF>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/figure/tips.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr int kItemsReadAtOnce = 24;  // more items are read one by one

}  // namespace

FigureWidget::FigureWidget(const Style& style, QWidget* parent)
    : QWidget(parent),
      style_(style),
      items_(
          *this, [this] { return itemCount(); }, [this](int item) { return itemText(item); },
          kItemsReadAtOnce) {
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

void FigureWidget::setCurrent(int item) {
  if (items_.setCurrent(item)) update();
}

QSize FigureWidget::sizeHint() const {
  const QSizeF size = figureSize() + QSizeF(2 * kFrame, 2 * kFrame);
  return (size * style_.scale()).toSize();
}

void FigureWidget::contentChanged() {
  items_.renew(std::min(current(), itemCount() - 1), -1);
  updateGeometry();
  update();
}

QRectF FigureWidget::area() const {
  return QRectF(QPointF(), QSizeF(size()) / style_.scale())
      .adjusted(kFrame, kFrame, -kFrame, -kFrame);
}

int FigureWidget::itemAt(const QPointF& position) const {
  const QPointF place = position / style_.scale();
  const QRectF whole = area();
  int nearest = -1;
  double least = INFINITY;
  for (int item = 0; item < itemCount(); ++item) {
    const QRectF room = itemArea(item, whole);
    const double distance = QLineF(place, room.center()).length();
    if (!room.contains(place) || distance >= least) continue;
    nearest = item;
    least = distance;
  }
  return nearest;
}

void FigureWidget::hover(int item) {
  if (items_.setHovered(item)) emit hovered(item);
}

QRect FigureWidget::screenArea(int item) const {
  const QRectF place = itemArea(item, area());
  return QRectF(place.topLeft() * style_.scale(), place.size() * style_.scale()).toAlignedRect();
}

bool FigureWidget::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int item = itemAt(help->pos());
  if (item < 0)
    QToolTip::hideText();
  else
    showTip(help->globalPos(), itemText(item), this, screenArea(item));
  return true;
}

void FigureWidget::paintEvent(QPaintEvent*) {
  const Palette& palette = style_.palette();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.scale(style_.scale(), style_.scale());
  const QRectF whole = area();
  painter.save();
  paintFigure(painter, whole, palette);
  painter.restore();

  painter.setBrush(Qt::NoBrush);
  if (current() >= 0) {
    painter.setPen(QPen(palette.mark, 2));
    painter.drawRoundedRect(itemArea(current(), whole), 3, 3);
  }
  if (hasFocus()) {
    painter.setPen(QPen(palette.accent, 2));
    painter.drawRoundedRect(whole.adjusted(-2, -2, 2, 2), 7, 7);
  }
}

void FigureWidget::keyPressEvent(QKeyEvent* event) {
  switch (items_.takeKey(event->key())) {
    case ItemChoice::Taken::No:
      return QWidget::keyPressEvent(event);
    case ItemChoice::Taken::Walked:
      return update();
    case ItemChoice::Taken::Chosen:
      emit clicked(current());
  }
}

void FigureWidget::mouseMoveEvent(QMouseEvent* event) { hover(itemAt(event->position())); }

void FigureWidget::mousePressEvent(QMouseEvent* event) {
  const int item = itemAt(event->position());
  if (event->button() != Qt::LeftButton || item < 0) return QWidget::mousePressEvent(event);
  setCurrent(item);
  emit clicked(item);
}

void FigureWidget::leaveEvent(QEvent*) { hover(-1); }

}  // namespace tfm::ui

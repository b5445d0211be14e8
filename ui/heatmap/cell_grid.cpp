// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/cell_grid.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QNativeGestureEvent>
#include <QPaintEngine>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

// Margin around an item that is scrolled to, in pixels at scale 1; its caption is below it.
constexpr double kAround = 8.0;
constexpr double kBelow = 24.0;
constexpr double kWheel = 1.0015;  // zoom of one unit of a wheel
constexpr double kKey = 1.25;      // and of a key

}  // namespace

CellGrid::CellGrid(const Style& style, QWidget* parent, Lock lock)
    : QAbstractScrollArea(parent), Items(lock), style_(style) {
  setFrameShape(QFrame::NoFrame);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  setFocusPolicy(Qt::StrongFocus);
  viewport()->setMouseTracking(true);
  viewport()->setAutoFillBackground(false);
  connect(&style, &Style::changed, this, [this] {
    restyle();
    arrange();
    updateGeometry();
  });
}

void CellGrid::setTitle(const QString& title) {
  title_ = title;
  setAccessibleName(title);
}

void CellGrid::itemLocked(int item) {
  if (item >= 0)
    emit locked(item);
  else
    emit unlocked();
}

QPointF CellGrid::scrolled() const {
  return {double(horizontalScrollBar()->value()), double(verticalScrollBar()->value())};
}

void CellGrid::scrollTo(const QPointF& corner) {
  horizontalScrollBar()->setValue(int(std::lround(corner.x())));
  verticalScrollBar()->setValue(int(std::lround(corner.y())));
}

bool CellGrid::isLarger() const {
  return horizontalScrollBar()->maximum() > 0 || verticalScrollBar()->maximum() > 0;
}

void CellGrid::setZooms(double least, double most) {
  zooms_ = {least, most};
  // Where one drags and zooms, bars would take room from the picture.
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  zoom_ = std::clamp(zoom_, least, std::max(least, most));
}

void CellGrid::setZoom(double zoom, const QPointF& fixed) {
  zoom = std::clamp(zoom, zooms_.first, std::max(zooms_.first, zooms_.second));
  if (zoom == zoom_) return;
  const QPointF at = scrolled() + fixed;
  const int item = itemAt(at);
  const QRectF before = item >= 0 ? itemArea(item) : QRectF();
  QPointF place = at * (zoom / zoom_);
  zoom_ = zoom;
  arrange();
  // Texts may keep their size, so that not everything becomes larger alike.
  if (const QRectF after = before.isEmpty() ? QRectF() : itemArea(item); !after.isEmpty())
    place = after.topLeft() + QPointF((at.x() - before.left()) / before.width() * after.width(),
                                      (at.y() - before.top()) / before.height() * after.height());
  scrollTo(place - fixed);
}

void CellGrid::zoomBy(double factor, const QPointF& fixed) {
  emit moved();
  setZoom(zoom_ * factor, fixed);
}

void CellGrid::fit() {
  emit moved();
  setZoom(fittingZoom(), {});
  scrollTo({});
}

void CellGrid::setContentSize(const QSizeF& size) {
  const QSize page = viewport()->size();
  const auto set = [this](QScrollBar* bar, double length, int page) {
    bar->setPageStep(page);
    bar->setSingleStep(style_.px(24));
    bar->setRange(0, std::max(0, int(std::ceil(length)) - page));
  };
  set(horizontalScrollBar(), size.width(), page.width());
  set(verticalScrollBar(), size.height(), page.height());
}

void CellGrid::reveal(int item) {
  const double around = kAround * style_.scale(), below = kBelow * style_.scale();
  const QRectF area =
      areaToReveal(item).translated(-scrolled()).adjusted(-around, -around, around, below);
  const auto follow = [](QScrollBar* bar, double from, double to, int page) {
    // If the item is larger than the viewport, its start is shown.
    const double past = std::min(std::max(0.0, to - page), from);
    bar->setValue(bar->value() + int(from < 0.0 ? std::floor(from) : std::ceil(past)));
  };
  follow(horizontalScrollBar(), area.left(), area.right(), viewport()->width());
  follow(verticalScrollBar(), area.top(), area.bottom(), viewport()->height());
}

void CellGrid::arrange() {
  layOut();
  repaintItems();
}

void CellGrid::repaintItems() {
  picture_ = QPixmap();
  viewport()->update();
}

void CellGrid::paintEvent(QPaintEvent*) {
  if (itemCount() == 0) return;
  QPainter painter(viewport());
  const bool on_screen = painter.paintEngine()->type() == QPaintEngine::Raster;
  const double ratio = viewport()->devicePixelRatioF();
  if (!on_screen) {
    painter.save();
    painter.translate(-scrolled());
    paintItems(painter);
    painter.restore();
  } else if (picture_.isNull() || picture_.devicePixelRatio() != ratio) {
    picture_ = QPixmap((QSizeF(viewport()->size()) * ratio).toSize());
    picture_.setDevicePixelRatio(ratio);
    picture_.fill(Qt::transparent);
    QPainter own(&picture_);
    own.translate(-scrolled());
    paintItems(own);
  }
  if (on_screen) painter.drawPixmap(0, 0, picture_);
  painter.translate(-scrolled());
  painter.setRenderHint(QPainter::Antialiasing);
  paintOver(painter);
}

void CellGrid::paintOver(QPainter& painter) {
  painter.translate(scrolled());
  paintMarks(painter, style_, hasFocus() ? QRectF(viewport()->rect()) : QRectF());
  painter.translate(-scrolled());
}

void paintChangeMark(QPainter& painter, const QPointF& at, double radius, bool off,
                     const Palette& palette) {
  painter.setPen(QPen(palette.bad, radius / 3));
  painter.setBrush(palette.panel);
  painter.drawEllipse(at, radius, radius);
  const double arm = radius * 0.7;
  if (off) return painter.drawLine(at + QPointF(-arm, arm), at + QPointF(arm, -arm));
  painter.setBrush(palette.bad);
  painter.drawEllipse(at, radius / 3, radius / 3);
}

void CellGrid::resizeEvent(QResizeEvent*) { arrange(); }

void CellGrid::scrollContentsBy(int, int) { repaintItems(); }

QString CellGrid::tipAt(const QPointF& point) const {
  const int item = itemAt(point);
  return item < 0 ? QString() : itemText(item);
}

bool CellGrid::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave) hover(std::nullopt);
  if (event->type() == QEvent::NativeGesture && isZoomable()) {
    const auto* gesture = static_cast<QNativeGestureEvent*>(event);
    if (gesture->gestureType() == Qt::ZoomNativeGesture) {
      zoomBy(1.0 + gesture->value(), gesture->position());
      return true;
    }
  }
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  showItemTip(*static_cast<QHelpEvent*>(event));
  return true;
}

bool CellGrid::moveTo(const QPointF& point) {
  if (!move_) return false;
  const QPointF by = point - move_->press;
  if (!move_->began && by.manhattanLength() < QApplication::startDragDistance()) return false;
  move_->began = true;
  emit moved();
  scrollTo(move_->scrolled - by);
  return true;
}

void CellGrid::mouseMoveEvent(QMouseEvent* event) {
  if (moveTo(event->position())) return viewport()->setCursor(Qt::ClosedHandCursor);
  const QPointF point = event->position() + scrolled();
  if (dragging_) return dragTo(point);
  const auto handle = handleAt(point);
  const int item = handle ? -1 : itemAt(point);
  if (handle)
    viewport()->setCursor(*handle);
  else if (item < 0 && isZoomable() && isLarger())
    viewport()->setCursor(Qt::OpenHandCursor);
  else
    viewport()->unsetCursor();
  hoverItem(item);
}

void CellGrid::mousePressEvent(QMouseEvent* event) {
  const QPointF point = event->position() + scrolled();
  if (event->button() != Qt::LeftButton) return event->ignore();
  if (handleAt(point)) {
    dragging_ = true;
    takeHandle(point);
    return viewport()->update();
  }
  if (isZoomable() && isLarger()) move_ = {event->position(), scrolled()};
  const int item = itemAt(point);
  if (item < 0) return event->setAccepted(move_.has_value());
  hover(cellOf(item));
  click(cellOf(item));
}

void CellGrid::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && move_) {
    move_.reset();
    return viewport()->unsetCursor();
  }
  if (event->button() != Qt::LeftButton || !dragging_) return event->ignore();
  dragging_ = false;
  releaseHandle();
}

void CellGrid::wheelEvent(QWheelEvent* event) {
  // A touchpad says how many pixels it has moved; a wheel does not.
  const bool scrolls = !event->pixelDelta().isNull() || event->modifiers() == Qt::ShiftModifier;
  if (!isZoomable() || (scrolls && event->modifiers() != Qt::ControlModifier))
    return QAbstractScrollArea::wheelEvent(event);
  zoomBy(std::pow(kWheel, event->angleDelta().y()), event->position());
  event->accept();
}

void CellGrid::keyPressEvent(QKeyEvent* event) {
  if (takeKey(event->key())) return;
  const QPointF middle = QRectF(viewport()->rect()).center();
  if (isZoomable() && (event->key() == Qt::Key_Plus || event->key() == Qt::Key_Equal))
    return zoomBy(kKey, middle);
  if (isZoomable() && event->key() == Qt::Key_Minus) return zoomBy(1.0 / kKey, middle);
  if (isZoomable() && event->key() == Qt::Key_0) return fit();
  if (isLarger())
    QAbstractScrollArea::keyPressEvent(event);
  else
    QFrame::keyPressEvent(event);
}

void CellGrid::contextMenuEvent(QContextMenuEvent* event) {
  const int under = event->reason() != QContextMenuEvent::Keyboard ? itemUnder(event->pos()) : -1;
  emit menuRequested(under >= 0 ? under : currentItem(), event->globalPos());
}

}  // namespace tfm::ui

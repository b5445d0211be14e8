// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/cell_grid.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPaintEngine>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "ui/figure/tips.h"
#include "ui/heatmap/accessible_cells.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

// Margin around an item that is scrolled to, in pixels at scale 1; its caption is below it.
constexpr double kAround = 8.0;
constexpr double kBelow = 24.0;

}  // namespace

std::optional<Cell> stepOf(int key) {
  switch (key) {
    case Qt::Key_Up:
      return Cell{-1, 0};
    case Qt::Key_Down:
      return Cell{1, 0};
    case Qt::Key_Left:
      return Cell{0, -1};
    case Qt::Key_Right:
      return Cell{0, 1};
    default:
      return std::nullopt;
  }
}

CellGrid::CellGrid(const Style& style, QWidget* parent, Lock lock)
    : QAbstractScrollArea(parent), style_(style), lock_(lock) {
  installCellAccessibility();
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

Cell CellGrid::cellOf(int item) const {
  const int columns = std::max(1, columnCount());
  return {item / columns, item % columns};
}

int CellGrid::shownItem() const { return shownCell() ? itemOf(*shownCell()) : -1; }

int CellGrid::currentItem() const { return shownCell() ? shownItem() : restItem(); }

void CellGrid::showLock(const std::optional<Cell>& cell) {
  if (cell == locked_) return;
  locked_ = cell;
  marksChanged();
}

void CellGrid::hover(const std::optional<Cell>& cell) {
  if (hovered_ == cell) return;
  hovered_ = cell;
  if (!locked_) emit hovered(cell ? itemOf(*cell) : -1);
  marksChanged();
}

void CellGrid::click(const Cell& cell) {
  if (locked_ != cell) {
    locked_ = cell;
    emit locked(itemOf(cell));
  } else if (lock_ == Lock::Toggles) {
    locked_.reset();
    emit unlocked();
  }
  marksChanged();
}

bool CellGrid::free() {
  if (!locked_) return false;
  locked_.reset();
  emit unlocked();
  marksChanged();
  return true;
}

void CellGrid::forgetOutside() {
  const int columns = columnCount(), rows = columns > 0 ? itemCount() / columns : 0;
  const auto outside = [&](const std::optional<Cell>& cell) {
    return cell && (cell->row >= rows || cell->col >= columns);
  };
  // In this order: a slot connected to unlocked() may ask what is hovered.
  if (outside(hovered_)) hover(std::nullopt);
  if (outside(locked_)) CellGrid::free();
}

QPointF CellGrid::scrolled() const {
  return {double(horizontalScrollBar()->value()), double(verticalScrollBar()->value())};
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
  const Palette& palette = style_.palette();
  const double unit = style_.scale();
  const int locked = lockedItem();
  const int previewed = !locked_ ? currentItem() : hovered_ ? itemOf(*hovered_) : -1;
  if (previewed >= 0 && previewed != locked)
    paintItemFrame(painter, itemArea(previewed), palette.text, 1.5, palette, unit);
  if (locked >= 0) paintItemFrame(painter, itemArea(locked), palette.mark, 2.5, palette, unit);
  if (!hasFocus() || currentItem() >= 0) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(palette.accent, 2.0 * unit));
  painter.drawRoundedRect(visibleArea().adjusted(1, 1, -1, -1), 4.0 * unit, 4.0 * unit);
}

void paintItemFrame(QPainter& painter, const QRectF& item, const QColor& color, double width,
                    const Palette& palette, double unit) {
  const double out = item.width() >= 12.0 * unit ? 0.0 : 3.0 * unit;
  const QRectF frame = item.adjusted(-out, -out, out, out);
  painter.setBrush(Qt::NoBrush);
  // On a bright cell of a dark theme, gold needs a dark outline to be visible.
  for (const QPen& pen : {QPen(palette.ground, (width + 2.0) * unit), QPen(color, width * unit)}) {
    painter.setPen(pen);
    painter.drawRoundedRect(frame, 3.0 * unit, 3.0 * unit);
  }
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
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int item = itemUnder(help->pos());
  showTip(help->globalPos(), tipAt(help->pos() + scrolled()), viewport(),
          item < 0 ? QRect() : itemRect(item).toAlignedRect());
  return true;
}

void CellGrid::mouseMoveEvent(QMouseEvent* event) {
  const QPointF point = event->position() + scrolled();
  if (dragging_) return dragTo(point);
  const auto cursor = handleAt(point);
  if (cursor)
    viewport()->setCursor(*cursor);
  else
    viewport()->unsetCursor();
  const int item = cursor ? -1 : itemAt(point);
  hover(item < 0 ? std::nullopt : std::optional(cellOf(item)));
}

void CellGrid::mousePressEvent(QMouseEvent* event) {
  const QPointF point = event->position() + scrolled();
  if (event->button() != Qt::LeftButton) return event->ignore();
  if (handleAt(point)) {
    dragging_ = true;
    takeHandle(point);
    return viewport()->update();
  }
  const int item = itemAt(point);
  if (item < 0) return event->ignore();
  hover(cellOf(item));
  click(cellOf(item));
}

void CellGrid::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !dragging_) return event->ignore();
  dragging_ = false;
  releaseHandle();
}

void CellGrid::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  if (key == Qt::Key_Escape && free()) return;
  if ((key == Qt::Key_Return || key == Qt::Key_Enter) && shownCell())
    return click(Cell(*shownCell()));
  if (const auto step = stepOf(key); step && itemCount() > 0) return walk(*step);
  if (horizontalScrollBar()->maximum() > 0 || verticalScrollBar()->maximum() > 0)
    QAbstractScrollArea::keyPressEvent(event);
  else
    QFrame::keyPressEvent(event);
}

void CellGrid::contextMenuEvent(QContextMenuEvent* event) {
  const int under = event->reason() != QContextMenuEvent::Keyboard ? itemUnder(event->pos()) : -1;
  emit menuRequested(under >= 0 ? under : currentItem(), event->globalPos());
}

int CellGrid::stepFrom(int item, const Cell& step) const {
  const Cell last = cellOf(itemCount() - 1);
  // The first key press goes to the first cell.
  const Cell from = item < 0 ? Cell{-step.row, -step.col} : cellOf(item);
  return itemOf(
      {std::clamp(from.row + step.row, 0, last.row), std::clamp(from.col + step.col, 0, last.col)});
}

void CellGrid::walk(const Cell& step) {
  const int from = currentItem(), to = stepFrom(from, step);
  if (to < 0 || to == from) return;
  if (locked_ || lock_ == Lock::Stays)
    click(cellOf(to));
  else
    hover(cellOf(to));
  reveal(to);
  announceCurrent(*this);
}

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/items.h"

#include <QCoreApplication>
#include <QHelpEvent>
#include <QLineF>
#include <QPainter>
#include <QStringList>
#include <QWidget>
#include <algorithm>
#include <cmath>

#include "ui/figure/accessible_items.h"
#include "ui/figure/tips.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr int kItemsReadAtOnce = 24;  // more items are read one by one

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

Items::Items(Lock lock) : lock_(lock) { installItemAccessibility(); }

int Items::itemUnder(const QPointF& point) const {
  int nearest = -1;
  double least = INFINITY;
  for (int item = 0; item < itemCount(); ++item) {
    const QRectF area = itemRect(item);
    const double distance = QLineF(point, area.center()).length();
    if (!area.contains(point) || distance >= least) continue;
    nearest = item;
    least = distance;
  }
  return nearest;
}

Cell Items::cellOf(int item) const {
  const int columns = std::max(1, columnCount());
  return {item / columns, item % columns};
}

bool Items::exists(const std::optional<Cell>& cell) const {
  const int columns = columnCount(), rows = columns > 0 ? itemCount() / columns : 0;
  return cell && cell->row >= 0 && cell->row < rows && cell->col >= 0 && cell->col < columns;
}

void Items::showLockedItem(int item) {
  showLock(item < 0 || item >= itemCount() ? std::nullopt : std::optional(cellOf(item)));
}

void Items::showLock(const std::optional<Cell>& cell) {
  if (cell == locked_) return;
  locked_ = cell;
  marksChanged();
}

void Items::hover(const std::optional<Cell>& cell) {
  if (hovered_ == cell) return;
  hovered_ = cell;
  if (!locked_) itemHovered(hoveredItem());
  marksChanged();
}

void Items::click(const Cell& cell) {
  if (locked_ != cell) {
    locked_ = cell;
    itemLocked(itemOf(cell));
  } else if (lock_ == Lock::Toggles) {
    locked_.reset();
    itemLocked(-1);
  }
  marksChanged();
}

bool Items::free() {
  if (!locked_) return false;
  locked_.reset();
  itemLocked(-1);
  marksChanged();
  return true;
}

void Items::forgetOutside() {
  // In this order: a slot that hears of the unlocking may ask what is hovered.
  if (hovered_ && !exists(hovered_)) hover(std::nullopt);
  if (locked_ && !exists(locked_)) Items::free();
}

void Items::setMarks(int hovered, int locked) {
  const auto cell = [this](int item) {
    return item < 0 || item >= itemCount() ? std::nullopt : std::optional(cellOf(item));
  };
  hovered_ = cell(hovered);
  locked_ = cell(locked);
}

int Items::stepFrom(int item, const Cell& step) const {
  const Cell last = cellOf(itemCount() - 1);
  // The first key press goes to the first item.
  if (item < 0) return 0;
  // In one line, every arrow goes along it.
  if (last.row == 0 || last.col == 0)
    return std::clamp(item + step.row + step.col, 0, itemCount() - 1);
  const Cell from = cellOf(item);
  return itemOf(
      {std::clamp(from.row + step.row, 0, last.row), std::clamp(from.col + step.col, 0, last.col)});
}

bool Items::takeKey(int key) {
  if (key == Qt::Key_Escape) return free();
  if (itemCount() == 0) return false;
  if (const auto step = stepOf(key)) {
    goTo(stepFrom(currentItem(), *step));
  } else if (key == Qt::Key_Home || key == Qt::Key_End) {
    goTo(key == Qt::Key_Home ? 0 : itemCount() - 1);
  } else if ((key == Qt::Key_Return || key == Qt::Key_Enter) && shownCell()) {
    click(Cell(*shownCell()));
  } else {
    return false;
  }
  return true;
}

void Items::goTo(int item) {
  if (item < 0 || item == currentItem()) return;
  if (locked_ || lock_ == Lock::Stays)
    click(cellOf(item));
  else
    hover(cellOf(item));
  reveal(item);
  announceCurrent(*this);
}

QString Items::tipUnder(const QPointF& point) const {
  const int item = itemUnder(point);
  return item < 0 ? QString() : itemText(item);
}

void Items::showItemTip(const QHelpEvent& event) {
  const int item = itemUnder(event.pos());
  showTip(event.globalPos(), tipUnder(event.pos()), &pointerArea(),
          item < 0 ? QRect() : itemRect(item).toAlignedRect());
}

void Items::paintMarks(QPainter& painter, const Style& style, const QRectF& whole) const {
  const Palette& palette = style.palette();
  const double unit = style.scale();
  const int locked = lockedItem(), previewed = locked < 0 ? currentItem() : hoveredItem();
  if (previewed >= 0 && previewed != locked)
    paintItemFrame(painter, itemRect(previewed), palette.text, 1.5, palette, unit);
  if (locked >= 0) paintItemFrame(painter, itemRect(locked), palette.mark, 2.5, palette, unit);
  if (locked >= 0 || previewed >= 0 || whole.isEmpty()) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(palette.accent, 2.0 * unit));
  painter.drawRoundedRect(whole.adjusted(1, 1, -1, -1), 4.0 * unit, 4.0 * unit);
}

QString Items::spokenText() const {
  if (currentItem() >= 0) return itemText(currentItem());
  const int count = itemCount();
  if (count == 0) return QCoreApplication::translate("Items", "No data yet");
  if (count > kItemsReadAtOnce)
    return QCoreApplication::translate(
        "Items", "%n value(s); use the arrow keys to go through them", nullptr, count);
  QStringList texts;
  for (int item = 0; item < count; ++item) texts << itemText(item);
  return texts.join(QStringLiteral("; "));
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

}  // namespace tfm::ui

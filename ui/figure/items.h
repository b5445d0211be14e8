// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>
#include <optional>

#include "ui/forward.h"
#include "ui/style/forward.h"

class QHelpEvent;

namespace tfm::ui {

/// A position in rows and columns.
struct Cell {
  int row = -1;
  int col = -1;
  bool operator==(const Cell&) const = default;
};

/// The items of a picture: cells, bars, tokens, matrices, points of a plot. They are numbered from
/// 0 in reading order. Hovering previews an item, a click locks it, a second click or Esc unlocks
/// it; while one is locked, hovering has no effect on what is shown. Arrow keys, Home and End
/// move, Return locks, screen readers read the items.
///
/// A base of the widget that draws the picture, which defines the items and their places, passes
/// the events of pointer and keyboard on and emits signals.
class Items {
 public:
  virtual ~Items() = default;

  virtual int itemCount() const = 0;
  /// The item in one sentence, e.g. "layer 1 head 2, from 'c' to 'a', 0.41".
  virtual QString itemText(int item) const = 0;
  /// The widget whose coordinates are used here, and which gets the pointer's events.
  virtual QWidget& pointerArea() = 0;
  /// The rectangle of an item; null if it is out of sight.
  virtual QRectF itemRect(int item) const = 0;
  /// The item at a point, of several the one with the nearest centre; -1 for none.
  virtual int itemUnder(const QPointF& point) const;

  int hoveredItem() const { return hovered_ ? itemOf(*hovered_) : -1; }
  int lockedItem() const { return locked_ ? itemOf(*locked_) : -1; }
  /// The locked item, else the hovered one; -1 for none.
  int shownItem() const { return shownCell() ? itemOf(*shownCell()) : -1; }
  /// The item that the arrow keys start from: the shown one, else restItem().
  int currentItem() const { return shownCell() ? shownItem() : restItem(); }
  /// Locks an item, or with -1 or one that does not exist unlocks, without a signal; to follow
  /// another panel.
  void showLockedItem(int item);

  /// The same for items in rows and columns.
  const std::optional<Cell>& hoveredCell() const { return hovered_; }
  const std::optional<Cell>& lockedCell() const { return locked_; }
  const std::optional<Cell>& shownCell() const { return locked_ ? locked_ : hovered_; }
  QRectF cellRect(int row, int col) const { return itemRect(itemOf({row, col})); }
  void showLock(const std::optional<Cell>& cell);

  /// What a screen reader reads of the whole: the current item; without one all, if they are few.
  QString spokenText() const;

 protected:
  /// What a click on the locked item does.
  enum class Lock { Toggles, Stays };

  explicit Items(Lock lock = Lock::Toggles);

  /// For items in rows and columns; 1 for those in one line.
  virtual int columnCount() const { return 1; }
  /// The item a step of rows or columns away from `item`, which may be -1; -1 if there is none.
  virtual int stepFrom(int item, const Cell& step) const;
  /// The item that is marked and that arrow keys start from while none is hovered or locked; -1
  /// for none.
  virtual int restItem() const { return -1; }
  /// The tooltip for a point; empty for none.
  virtual QString tipUnder(const QPointF& point) const;
  /// Scrolls until an item is visible.
  virtual void reveal(int item) = 0;
  /// Another item is hovered or locked: draws the marks.
  virtual void marksChanged() = 0;
  /// The same as the user sees it, for signals; -1: none.
  virtual void itemHovered(int item) = 0;
  virtual void itemLocked(int item) = 0;

  Cell cellOf(int item) const;
  int itemOf(const Cell& cell) const { return cell.row * columnCount() + cell.col; }
  void hover(const std::optional<Cell>& cell);
  void hoverItem(int item) { hover(item < 0 ? std::nullopt : std::optional(cellOf(item))); }
  void click(const Cell& cell);
  /// Unlocks; false if nothing was locked.
  virtual bool free();
  /// After a change of items: resets lock and hover if their cell no longer exists, with signals.
  void forgetOutside();
  /// After a change of items: which of the new ones are hovered and locked, without signals. Those
  /// that do not exist are none.
  void setMarks(int hovered, int locked);
  /// Returns whether it is a key for items.
  bool takeKey(int key);
  void showItemTip(const QHelpEvent& event);
  /// Paints frames around the hovered and the locked item, else the focus of the host's picture
  /// around `whole`.
  void paintMarks(QPainter& painter, const Style& style, const QRectF& whole) const;

 private:
  bool exists(const std::optional<Cell>& cell) const;
  void goTo(int item);

  const Lock lock_;
  std::optional<Cell> hovered_, locked_;
};

/// The step of an arrow key; none for other keys.
std::optional<Cell> stepOf(int key);

/// Paints the frame of a hovered or locked item; outside of it if it has only a few pixels.
void paintItemFrame(QPainter& painter, const QRectF& item, const QColor& color, double width,
                    const Palette& palette, double unit);

}  // namespace tfm::ui

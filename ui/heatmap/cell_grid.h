// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <QPixmap>
#include <optional>

#include "ui/figure/figure.h"
#include "ui/heatmap/cell_places.h"
#include "ui/style/style.h"

namespace tfm::ui {

/// Base of pictures of many items (cells, maps, tokens, matrices), numbered from 0 in reading
/// order. Hovering previews an item, a click locks it, a second click or Esc unlocks it; while one
/// is locked, hovering has no effect on what is shown. Arrow keys move, Return locks, screen
/// readers read the items. A picture larger than the widget scrolls.
///
/// Derived classes define the items, their places and how they are drawn, in the coordinates of the
/// picture, which scrolls.
class CellGrid : public QAbstractScrollArea, public Figure {
  Q_OBJECT

 public:
  virtual int itemCount() const = 0;
  /// The item in one sentence, e.g. "layer 1 head 2, from 'c' to 'a', 0.41".
  virtual QString itemText(int item) const = 0;
  /// Sets the title of exports, which is the accessible name, too.
  void setTitle(const QString& title);
  QString figureTitle() const override { return title_; }
  /// The accessible name of the whole picture.
  virtual QString accessibleTitle() const { return figureTitle(); }

  /// The rectangle of an item in viewport coordinates.
  QRectF itemRect(int item) const { return itemArea(item).translated(-scrolled()); }
  /// The item at a point of the viewport; -1 for none.
  int itemUnder(const QPointF& point) const { return itemAt(point + scrolled()); }
  int lockedItem() const { return locked_ ? itemOf(*locked_) : -1; }
  /// The locked item, else the hovered one; -1 for none.
  int shownItem() const;
  /// The item that the arrow keys start from: the shown one, else restItem().
  int currentItem() const;

  /// The same for items in rows and columns.
  const std::optional<Cell>& hoveredCell() const { return hovered_; }
  const std::optional<Cell>& lockedCell() const { return locked_; }
  const std::optional<Cell>& shownCell() const { return locked_ ? locked_ : hovered_; }
  QRectF cellRect(int row, int col) const { return itemRect(itemOf({row, col})); }
  /// Locks a cell, or unlocks with nullopt, without a signal; to follow another panel.
  void showLock(const std::optional<Cell>& cell);

  /// The last painted items, without hover and lock; null if they need repainting.
  const QPixmap& pictureShown() const { return picture_; }

 signals:
  /// Another item is previewed; -1: none. Not emitted while an item is locked.
  void hovered(int item);
  void locked(int item);
  void unlocked();
  /// A context menu is asked for, at a global place: for the item under the pointer or, with a key,
  /// for currentItem(), which may be -1.
  void menuRequested(int item, const QPoint& place);

 protected:
  /// What a click on the locked item does.
  enum class Lock { Toggles, Stays };

  explicit CellGrid(const Style& style, QWidget* parent, Lock lock = Lock::Toggles);

  const Style& style() const { return style_; }
  /// For items in rows and columns.
  virtual int columnCount() const { return 1; }
  virtual QRectF itemArea(int item) const = 0;
  /// The area to scroll into view for an item.
  virtual QRectF areaToReveal(int item) const { return itemArea(item); }
  virtual int itemAt(const QPointF& point) const = 0;
  /// The item a step of rows or columns away from `item`, which may be -1; -1 if there is none.
  virtual int stepFrom(int item, const Cell& step) const;
  virtual QString tipAt(const QPointF& point) const;
  /// The item that is marked and that arrow keys start from while none is hovered or locked; -1 for
  /// none.
  virtual int restItem() const { return -1; }

  /// Updates the layout: the viewport, the style or the content changed.
  virtual void layOut() = 0;
  /// The style changed: drops cached colours and text sizes.
  virtual void restyle() {}
  /// Paints the items into a picture that is cached until repaintItems().
  virtual void paintItems(QPainter& painter) = 0;
  /// Paints on top of that what changes with the pointer: frames around the hovered and the locked
  /// item.
  virtual void paintOver(QPainter& painter);
  /// Another item is hovered or locked.
  virtual void marksChanged() { viewport()->update(); }

  /// Draggable handles: the cursor over one, and pressing, dragging and releasing it.
  virtual std::optional<Qt::CursorShape> handleAt(const QPointF&) const { return std::nullopt; }
  virtual void takeHandle(const QPointF&) {}
  virtual void dragTo(const QPointF&) {}
  virtual void releaseHandle() {}
  bool isDragging() const { return dragging_; }

  Cell cellOf(int item) const;
  int itemOf(const Cell& cell) const { return cell.row * columnCount() + cell.col; }
  QPointF scrolled() const;
  /// The visible part of the picture.
  QRectF visibleArea() const { return {scrolled(), QSizeF(viewport()->size())}; }
  /// Sets the size of the scrollable content.
  void setContentSize(const QSizeF& size);
  /// Scrolls until an item is visible.
  void reveal(int item);
  void arrange();
  void repaintItems();
  void hover(const std::optional<Cell>& cell);
  void click(const Cell& cell);
  /// Unlocks; false if nothing was locked.
  virtual bool free();
  /// After a change of size: resets lock and hover if their cell no longer exists.
  void forgetOutside();

  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void walk(const Cell& step);

  const Style& style_;
  const Lock lock_;
  QString title_;
  std::optional<Cell> hovered_, locked_;
  bool dragging_ = false;
  QPixmap picture_;
};

/// The step of an arrow key; none for other keys.
std::optional<Cell> stepOf(int key);

/// Paints the frame of a hovered or locked item; outside of it if it has only a few pixels.
void paintItemFrame(QPainter& painter, const QRectF& item, const QColor& color, double width,
                    const Palette& palette, double unit);

/// Paints the mark of what an intervention changes: crossed out if it is switched off, else a dot.
void paintChangeMark(QPainter& painter, const QPointF& at, double radius, bool off,
                     const Palette& palette);

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <QPixmap>
#include <optional>

#include "ui/figure/figure.h"
#include "ui/heatmap/cell_places.h"
#include "ui/style/style.h"

namespace tfm::ui {

/// A picture of many items (cells, maps, tokens, matrices), numbered from 0 in reading order, that
/// are pointed at one by one. Hovering previews an item, a click locks it, a second click or Esc
/// frees it; while one is locked, hovering changes nothing that is shown. Arrow keys walk, Return
/// locks, screen readers hear the items. A picture larger than the widget scrolls.
///
/// What the items are, where they stand and how they are drawn is the derived class's. Points and
/// areas that it is asked for are in the picture's coordinates, which scroll.
class CellGrid : public QAbstractScrollArea, public Figure {
  Q_OBJECT

 public:
  virtual int itemCount() const = 0;
  /// The item in one sentence, e.g. "layer 1 head 2, from 'c' to 'a', 0.41".
  virtual QString itemText(int item) const = 0;
  /// What screen readers call the whole.
  virtual QString spokenTitle() const { return figureTitle(); }

  /// Where an item is drawn now, in the viewport's coordinates.
  QRectF itemRect(int item) const { return itemArea(item).translated(-scrolled()); }
  /// The item at a point of the viewport; -1 for none.
  int itemUnder(const QPointF& point) const { return itemAt(point + scrolled()); }
  int lockedItem() const { return locked_ ? itemOf(*locked_) : -1; }
  /// The locked item, else the hovered one; -1 for none.
  int shownItem() const;
  /// The item that the arrow keys start from: that which is shown, else the one in restItem().
  int currentItem() const;

  /// The same for items that stand in rows and columns.
  const std::optional<Cell>& hoveredCell() const { return hovered_; }
  const std::optional<Cell>& lockedCell() const { return locked_; }
  const std::optional<Cell>& shownCell() const { return locked_ ? locked_ : hovered_; }
  QRectF cellRect(int row, int col) const { return itemRect(itemOf({row, col})); }
  /// Locks a cell, or frees with no cell, without a signal: for following another panel.
  void showLock(const std::optional<Cell>& cell);

  /// The items as they were last painted, without what the pointer does; null: to be painted anew.
  const QPixmap& pictureShown() const { return picture_; }

 signals:
  /// Another item is previewed; -1 when none is. Silent while an item is locked.
  void hovered(int item);
  void locked(int item);
  void freed();

 protected:
  /// What a click on the locked item does.
  enum class Lock { Toggles, Stays };

  explicit CellGrid(const Style& style, QWidget* parent, Lock lock = Lock::Toggles);

  const Style& style() const { return style_; }
  /// Of items in rows and columns.
  virtual int columnCount() const { return 1; }
  virtual QRectF itemArea(int item) const = 0;
  /// The item with what belongs into sight together with it.
  virtual QRectF areaToReveal(int item) const { return itemArea(item); }
  virtual int itemAt(const QPointF& point) const = 0;
  /// The item that a step of rows or columns leads to from another, or from -1: none; -1 if to
  /// none.
  virtual int stepFrom(int item, const Cell& step) const;
  virtual QString tipAt(const QPointF& point) const;
  /// The item that is marked and walked from while none is hovered or locked; -1 for none.
  virtual int restItem() const { return -1; }

  /// Places everything anew: the viewport, the style or what is shown changed.
  virtual void layOut() = 0;
  /// The style changed: forgets colours and measured words.
  virtual void restyle() {}
  /// Paints what is kept as a picture until repaintItems().
  virtual void paintItems(QPainter& painter) = 0;
  /// Paints what follows the pointer over it: frames around the hovered and the locked item.
  virtual void paintOver(QPainter& painter);
  /// Another item is hovered or locked.
  virtual void marksChanged() { viewport()->update(); }

  /// Handles that can be dragged: the cursor over one, and taking, moving and letting go of it.
  virtual std::optional<Qt::CursorShape> handleAt(const QPointF&) const { return std::nullopt; }
  virtual void takeHandle(const QPointF&) {}
  virtual void dragTo(const QPointF&) {}
  virtual void letGo() {}
  bool isDragging() const { return dragging_; }

  Cell cellOf(int item) const;
  int itemOf(const Cell& cell) const { return cell.row * columnCount() + cell.col; }
  QPointF scrolled() const;
  /// What of the picture is in sight.
  QRectF visibleArea() const { return {scrolled(), QSizeF(viewport()->size())}; }
  /// Sets how far the picture scrolls.
  void setContentSize(const QSizeF& size);
  /// Scrolls until an item is in sight.
  void reveal(int item);
  void arrange();
  void repaintItems();
  void hover(const std::optional<Cell>& cell);
  void click(const Cell& cell);
  /// Frees what was chosen; false if nothing was.
  virtual bool free();
  /// After a change of size: frees the lock, and forgets what is hovered, where there is no such
  /// cell any more.
  void forgetOutside();

  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void walk(const Cell& step);

  const Style& style_;
  const Lock lock_;
  std::optional<Cell> hovered_, locked_;
  bool dragging_ = false;
  QPixmap picture_;
};

/// The frame around an item that is looked at; around, not upon, one of a few pixels.
void paintItemFrame(QPainter& painter, const QRectF& item, const QColor& color, double width,
                    const Palette& palette, double unit);

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <QPixmap>
#include <optional>
#include <utility>

#include "ui/figure/figure.h"
#include "ui/heatmap/cell_places.h"
#include "ui/style/style.h"

namespace tfm::ui {

/// Base of pictures of many items that scroll if they are larger than the widget, or that are moved
/// by dragging and zoomed by wheel, pinch, + and - if they are made zoomable; 0 shows all.
///
/// Derived classes define the items, their places and how they are drawn, in the coordinates of the
/// picture, which scrolls.
class CellGrid : public QAbstractScrollArea, public Figure, public Items {
  Q_OBJECT

 public:
  /// Sets the title of exports, which is the accessible name, too.
  void setTitle(const QString& title);
  QString figureTitle() const override { return title_; }

  QWidget& pointerArea() override { return *viewport(); }
  QRectF itemRect(int item) const override { return itemArea(item).translated(-scrolled()); }
  int itemUnder(const QPointF& point) const override { return itemAt(point + scrolled()); }

  /// 1 is the usual size. A derived class lays out for it.
  double zoom() const { return zoom_; }
  /// Zooms so that what is at a point of the viewport stays there.
  void setZoom(double zoom, const QPointF& fixed);
  /// Zooms and moves so that all is seen, or as much as the least zoom shows.
  void fit();

  /// The last painted items, without hover and lock; null if they need repainting.
  const QPixmap& pictureShown() const { return picture_; }

 signals:
  /// Another item is previewed; -1: none. Not emitted while an item is locked.
  void hovered(int item);
  void locked(int item);
  /// The user zooms, drags the picture, or asks to see all of it.
  void moved();
  void unlocked();
  /// A context menu is asked for, at a global place: for the item under the pointer or, with a key,
  /// for currentItem(), which may be -1.
  void menuRequested(int item, const QPoint& place);

 protected:
  explicit CellGrid(const Style& style, QWidget* parent, Lock lock = Lock::Toggles);

  const Style& style() const { return style_; }
  virtual QRectF itemArea(int item) const = 0;
  /// The area to scroll into view for an item.
  virtual QRectF areaToReveal(int item) const { return itemArea(item); }
  virtual int itemAt(const QPointF& point) const = 0;
  virtual QString tipAt(const QPointF& point) const;

  /// Updates the layout: the viewport, the style or the content changed.
  virtual void layOut() = 0;
  /// The style changed: drops cached colours and text sizes.
  virtual void restyle() {}
  /// Paints the items into a picture that is cached until repaintItems().
  virtual void paintItems(QPainter& painter) = 0;
  /// Paints on top of that what changes with the pointer: frames around the hovered and the locked
  /// item.
  virtual void paintOver(QPainter& painter);
  QString tipUnder(const QPointF& point) const override { return tipAt(point + scrolled()); }
  void marksChanged() override { viewport()->update(); }

  /// Draggable handles: the cursor over one, and pressing, dragging and releasing it.
  virtual std::optional<Qt::CursorShape> handleAt(const QPointF&) const { return std::nullopt; }
  virtual void takeHandle(const QPointF&) {}
  virtual void dragTo(const QPointF&) {}
  virtual void releaseHandle() {}
  bool isDragging() const { return dragging_; }

  /// Makes it zoomable between these; `most` <= `least`: not at present.
  void setZooms(double least = 1.0, double most = 8.0);
  /// The zoom at which all is seen.
  virtual double fittingZoom() { return 1.0; }

  QPointF scrolled() const;
  void scrollTo(const QPointF& corner);
  /// The visible part of the picture.
  QRectF visibleArea() const { return {scrolled(), QSizeF(viewport()->size())}; }
  /// Sets the size of the scrollable content.
  void setContentSize(const QSizeF& size);
  void reveal(int item) override;
  void arrange();
  void repaintItems();
  void itemHovered(int item) override { emit hovered(item); }
  void itemLocked(int item) override;

  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  bool isZoomable() const { return zooms_.first < zooms_.second; }
  /// Whether there is more to see beside the viewport.
  bool isLarger() const;
  void zoomBy(double factor, const QPointF& fixed);
  bool moveTo(const QPointF& point);

  const Style& style_;
  QString title_;
  bool dragging_ = false;
  std::pair<double, double> zooms_{1.0, 1.0};
  double zoom_ = 1.0;
  struct Move {
    QPointF press;  ///< in the viewport
    QPointF scrolled;
    bool began = false;  ///< a click moves nothing
  };
  std::optional<Move> move_;
  QPixmap picture_;
};

/// Paints the mark of what an intervention changes: crossed out if it is switched off, else a dot.
void paintChangeMark(QPainter& painter, const QPointF& at, double radius, bool off,
                     const Palette& palette);

}  // namespace tfm::ui

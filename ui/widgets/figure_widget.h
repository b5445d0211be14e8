// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/figure/figure.h"
#include "ui/figure/items.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// Base of small pictures made of items (bars, cells, tokens) that look the same on screen and on
/// paper: the figure paints in pixels at scale 1 and the widget scales it.
class FigureWidget : public QWidget, public Figure, public Items {
  Q_OBJECT

 public:
  explicit FigureWidget(const Style& style, QWidget* parent = nullptr);

  /// The title of exports and the accessible name.
  void setTitle(const QString& title);
  QString figureTitle() const override { return title_; }

  QWidget& pointerArea() override { return *this; }
  QRectF itemRect(int item) const override;
  QSize sizeHint() const override;

 signals:
  /// Another item is previewed; -1: none. Not emitted while an item is locked.
  void hovered(int item);
  void locked(int item);
  void unlocked();

 protected:
  /// Margin around the figure for the focus frame, in pixels at scale 1.
  static constexpr double kFrame = 3;

  /// Where the figure is painted on screen, in pixels at scale 1.
  QRectF area() const;
  /// The rectangle of `item` when the figure is painted into `area`.
  virtual QRectF itemArea(int item, const QRectF& area) const = 0;

  /// Call after the content changed: updates geometry and repaints. Marks of items that no longer
  /// exist go, without signals.
  void contentChanged();

  void reveal(int item) override;
  void marksChanged() override { update(); }
  void itemHovered(int item) override { emit hovered(item); }
  void itemLocked(int item) override;

  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

  const Style& style_;

 private:
  QString title_;
};

}  // namespace tfm::ui

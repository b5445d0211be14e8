// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/figure/figure.h"
#include "ui/figure/forward.h"
#include "ui/figure/item_choice.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// Base of small pictures made of items (bars, cells, tokens) that look the same on screen and on
/// paper: the figure paints in pixels at scale 1 and the widget scales it. Items can be hovered,
/// clicked and reached with the arrow keys; the current one has a gold frame and is the widget's
/// accessible description.
class FigureWidget : public QWidget, public Figure {
  Q_OBJECT

 public:
  explicit FigureWidget(const Style& style, QWidget* parent = nullptr);

  /// The title of exports and the accessible name.
  void setTitle(const QString& title);
  QString figureTitle() const override { return title_; }

  /// The current item; -1 for none.
  int current() const { return items_.current(); }
  /// Makes `item` current without a signal; -1 for none.
  void setCurrent(int item);

  QSize sizeHint() const override;

 signals:
  /// The pointer is over `item`; -1 when it is over none.
  void hovered(int item);
  /// `item` was clicked or confirmed with Enter or Space.
  void clicked(int item);

 protected:
  /// Margin around the figure for the focus frame, in pixels at scale 1.
  static constexpr double kFrame = 3;

  /// Where the figure is painted on screen, in pixels at scale 1.
  QRectF area() const;
  /// The item that the pointer is over; -1 for none.
  int itemUnderPointer() const { return items_.hovered(); }

  virtual int itemCount() const = 0;
  /// The rectangle of `item` when the figure is painted into `area`.
  virtual QRectF itemArea(int item, const QRectF& area) const = 0;
  /// The item in one sentence with its exact number, for tooltips and screen readers.
  virtual QString itemText(int item) const = 0;

  /// Call after the content changed: updates geometry, repaints and notifies screen readers.
  void contentChanged();
  int itemAt(const QPointF& position) const;
  /// Where an item is on the widget.
  QRect screenArea(int item) const;

  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

  const Style& style_;

 private:
  void hover(int item);

  QString title_;
  ItemChoice items_;
};

}  // namespace tfm::ui

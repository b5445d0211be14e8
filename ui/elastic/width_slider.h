// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractSlider>
#include <vector>

#include "ui/elastic/width_tick.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// Margin at the ends of a horizontal bar's track, in pixels at scale 1.
inline constexpr double kSliderEnd = 18.0;

/// A slider for a width between 1 and all units of a layer, with ticks at the granularities. Arrow
/// keys move it by one unit, Page Up and Page Down to the next granularity, Home and End to the
/// ends. Dragging snaps to ticks. A horizontal bar has tick names below it.
class WidthSlider : public QAbstractSlider {
  Q_OBJECT

 public:
  WidthSlider(const Style& style, Qt::Orientation orientation, QWidget* parent = nullptr);

  /// The width of the whole layer, and the ticks, smallest first.
  void setScale(int full, std::vector<WidthTick> ticks);
  /// Shows a width without a signal; `mixed`: the layers have different widths.
  void showWidth(int width, bool mixed = false);
  /// The text below a vertical bar.
  void setCaption(const QString& caption);
  /// Whether its layer is the one shown.
  void setChosen(bool chosen);

  /// The position of a width along the bar.
  double placeOf(int width) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  /// The user chose a width.
  void dragged(int width);
  /// It was clicked or got the focus by Tab.
  void touched();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  /// Left to what is around it, which scrolls.
  void wheelEvent(QWheelEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  /// The track, in the widget's coordinates.
  QRectF track() const;
  bool lies() const { return orientation() == Qt::Horizontal; }
  int widthAt(const QPointF& place) const;
  void setByUser(int width);
  void act(int action);
  void paintTicks(QPainter& painter) const;
  void paintHandle(QPainter& painter) const;
  void describe();

  const Style& style_;
  std::vector<WidthTick> ticks_;
  QString caption_;
  bool mixed_ = false;
  bool chosen_ = false;
};

}  // namespace tfm::ui

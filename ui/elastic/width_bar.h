// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractSlider>
#include <vector>

#include "ui/elastic/width_tick.h"

namespace tfm::ui {

class Style;

/// Room beyond the ends of a lying bar's track, in pixels at scale 1.
inline constexpr double kWidthBarEnd = 18.0;

/// A width between 1 and all units of a layer, as a bar with ticks at the granularities. Drag it,
/// or: arrows for one unit, Page Up and Page Down for the next granularity, Home and End. What is
/// dragged near a tick stays there. One that lies down has the names of its ticks below it.
class WidthBar : public QAbstractSlider {
  Q_OBJECT

 public:
  WidthBar(const Style& style, Qt::Orientation orientation, QWidget* parent = nullptr);

  /// The width of the whole layer, and the ticks, smallest first.
  void setScale(int full, std::vector<WidthTick> ticks);
  /// Shows a width without a signal; `mixed`: it stands for layers that differ.
  void showWidth(int width, bool mixed = false);
  /// What is written below a standing bar.
  void setCaption(const QString& caption);
  /// Whether its layer is the one that is looked at.
  void setChosen(bool chosen);

  /// The place of the bar's end at a width, along its own direction.
  double placeOf(int width) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  /// The user chose a width.
  void dragged(int width);
  /// It was clicked, or Tab came to it.
  void touched();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  /// The track, in the widget's coordinates.
  QRectF track() const;
  bool lies() const { return orientation() == Qt::Horizontal; }
  int widthAt(const QPointF& place) const;
  void setByUser(int width);
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

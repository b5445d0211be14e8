// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/figure/item_choice.h"
#include "ui/plots/forward.h"
#include "ui/plots/plot.h"
#include "ui/plots/plot_zoom.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// A plot of single points that can be hovered, clicked and reached with the arrow keys, Home and
/// End. Axes added to zoom() can be zoomed. The current point has a gold frame and is the
/// accessible description; a second click or Esc deselects it.
class PointPlot : public Plot {
  Q_OBJECT

 public:
  explicit PointPlot(Style& style, QWidget* parent = nullptr);

  /// The current point; -1 for none.
  int current() const { return points_.current(); }
  /// Makes a point current without a signal; -1 for none.
  void setCurrent(int point);
  /// The point under the pointer; -1 for none.
  int hovered() const { return points_.hovered(); }

 signals:
  /// A point was clicked, or confirmed with Enter or Space.
  void clicked(int point);

 protected:
  virtual int pointCount() const = 0;
  /// The position of a point on the canvas.
  virtual QPointF placeOf(int point) const = 0;
  /// The point in one sentence, for tooltips and screen readers.
  virtual QString pointText(int point) const = 0;
  /// Call after the points changed, with the current point and the one under the pointer; -1 for
  /// none.
  void pointsChanged(int current, int hovered);
  /// The point at a position: by default the nearest one within reach; -1 for none.
  virtual int pointAt(const QPointF& place) const;
  /// Whether a position is inside the axes.
  bool isShown(const QPointF& place) const;
  PlotZoom& zoom() { return zoom_; }
  const PlotZoom& zoom() const { return zoom_; }

  void arrange(const PlotLook& look) const override;
  QString toolTipAt(const QPointF& place) const override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void hover(int point);
  void showPoints();

  PlotZoom zoom_;
  QCPItemTracer* frame_;  ///< around the current one
  ItemChoice points_;
};

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/figure/items.h"
#include "ui/plots/forward.h"
#include "ui/plots/plot.h"
#include "ui/plots/plot_zoom.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// A plot whose items are single points. Axes added to zoom() can be zoomed. The shown point has a
/// frame.
class PointPlot : public Plot, public Items {
  Q_OBJECT

 public:
  explicit PointPlot(Style& style, QWidget* parent = nullptr);

  QWidget& pointerArea() override { return Plot::pointerArea(); }
  /// The surroundings of a point within the axes, where it can be clicked.
  QRectF itemRect(int point) const override;

 signals:
  void locked(int point);
  void unlocked();

 protected:
  /// The position of a point on the canvas.
  virtual QPointF placeOf(int point) const = 0;
  /// Call after the points changed, with the hovered and the locked one; -1 for none.
  void pointsChanged(int hovered, int locked);
  /// Whether a position is inside the axes.
  bool isShown(const QPointF& place) const;
  PlotZoom& zoom() { return zoom_; }
  const PlotZoom& zoom() const { return zoom_; }

  void reveal(int) override {}
  void marksChanged() override;
  void itemHovered(int) override {}
  void itemLocked(int point) override;

  void arrange(const PlotLook& look) const override;
  QString toolTipAt(const QPointF& place) const override { return tipUnder(place); }
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  PlotZoom zoom_;
  QCPItemTracer* frame_;  ///< around the shown point
};

}  // namespace tfm::ui

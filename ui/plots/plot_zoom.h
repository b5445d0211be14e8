// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QRectF>
#include <map>
#include <optional>
#include <vector>

#include "ui/plots/forward.h"
#include "ui/plots/plot_frame.h"

namespace tfm::ui {

/// Zooming and moving a plot: drag a rectangle, use the wheel, + or - to zoom; Shift and drag to
/// move; double-click or press 0 to follow the data again.
class PlotZoom : public QObject {
  Q_OBJECT

 public:
  explicit PlotZoom(QCustomPlot& plot);

  /// Makes both axes zoomable. `whole_steps`: the x axis shows at least one step.
  void add(QCPAxisRect& axes, bool whole_steps = false);
  /// The range chosen for an axis; nullopt if it follows the data.
  std::optional<AxisRange> of(const QCPAxis& axis) const;
  /// Sets the range of an axis, or lets it follow the data, without a signal.
  void set(const QCPAxis& axis, std::optional<AxisRange> range);
  void follow() { chosen_.clear(); }
  bool following() const { return chosen_.empty(); }
  /// Handles +, - and 0. Returns whether the key was one of these.
  bool takeKey(int key);

 signals:
  /// The user zoomed or moved an axis; null: all axes follow the data again.
  void changed(QCPAxis* axis);
  /// The plot was clicked, not dragged.
  void clicked(const QPointF& place);

 private:
  void choose(QCPAxis& axis, const QCPRange& range);
  void zoomTo(const QRectF& drawn);
  void zoomBy(double factor);
  void followAgain();

  QCustomPlot& plot_;
  std::vector<QCPAxisRect*> rects_;
  std::map<const QCPAxis*, AxisRange> chosen_;
  std::optional<QPointF> press_;
};

}  // namespace tfm::ui

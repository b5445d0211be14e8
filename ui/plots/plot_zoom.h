// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QRectF>
#include <map>
#include <optional>
#include <vector>

#include "ui/plots/plot_frame.h"

class QCPAxis;
class QCPAxisRect;
class QCPRange;
class QCustomPlot;

namespace tfm::ui {

/// What the user chooses to see of a plot: drag a rectangle, wheel, + and - to zoom; Shift and drag
/// to move; double click or 0 to follow the data again.
class PlotZoom : public QObject {
  Q_OBJECT

 public:
  explicit PlotZoom(QCustomPlot& plot);

  /// Lets both axes be zoomed. In whole steps x shows no less than one.
  void add(QCPAxisRect& axes, bool whole_steps = false);
  /// What the user chose for an axis; none: it follows the data.
  std::optional<AxisRange> of(const QCPAxis& axis) const;
  /// Chooses instead of the user, without a signal.
  void set(const QCPAxis& axis, std::optional<AxisRange> range);
  void follow() { chosen_.clear(); }
  bool following() const { return chosen_.empty(); }
  /// Zooms or follows where it is a key for that.
  bool takeKey(int key);

 signals:
  /// The user zoomed or moved an axis; null: all follow again.
  void changed(QCPAxis* axis);
  /// A click that zooms nothing.
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

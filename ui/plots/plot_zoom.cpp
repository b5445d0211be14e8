// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_zoom.h"

#include <qcustomplot.h>

#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <utility>

namespace tfm::ui {
namespace {

constexpr double kKeyZoom = 1.5, kWheelZoom = 1.2;
constexpr double kClick = 3;  // pixels that the pointer may move during a click, as in QCustomPlot
constexpr double kSlip = 5;   // smaller rectangles are drawn by accident
// Closer than this the difference of two doubles is noise, and ticks repeat.
constexpr double kSmallestShare = 1e-9;
constexpr double kLargest = 1e15;

bool usable(const QCPAxis& axis, const QCPRange& range) {
  const double size = std::max(std::abs(range.lower), std::abs(range.upper));
  const bool positive = axis.scaleType() == QCPAxis::stLinear || range.lower > 0;
  return positive && size < kLargest && range.size() > size * kSmallestShare;
}

}  // namespace

PlotZoom::PlotZoom(QCustomPlot& plot) : plot_(plot) {
  connect(&plot, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) press_ = event->position();
    const bool moves = event->modifiers() & Qt::ShiftModifier;
    plot_.setSelectionRectMode(moves || rects_.empty() ? QCP::srmNone : QCP::srmCustom);
  });
  connect(&plot, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !press_) return;
    const QPointF way = event->position() - *std::exchange(press_, std::nullopt);
    if (way.manhattanLength() <= kClick) emit clicked(event->position());
  });
  connect(plot.selectionRect(), &QCPSelectionRect::accepted, this,
          [this](const QRect& drawn) { zoomTo(drawn.normalized()); });
  connect(&plot, &QCustomPlot::mouseDoubleClick, this, [this] {
    press_.reset();
    followAgain();
  });
}

void PlotZoom::add(QCPAxisRect& axes, bool whole_steps) {
  plot_.setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  rects_.push_back(&axes);
  axes.setRangeZoomFactor(1 / kWheelZoom);
  for (QCPAxis* axis : {axes.axis(QCPAxis::atBottom), axes.axis(QCPAxis::atLeft)}) {
    const bool whole = whole_steps && axis->orientation() == Qt::Horizontal;
    connect(axis, qOverload<const QCPRange&, const QCPRange&>(&QCPAxis::rangeChanged), this,
            [this, axis, whole](const QCPRange& range, const QCPRange& before) {
              const bool too_close = whole && range.size() < before.size() && before.size() < 2;
              if (!too_close) choose(*axis, range);
              emit changed(axis);
            });
  }
}

std::optional<AxisRange> PlotZoom::of(const QCPAxis& axis) const {
  const auto found = chosen_.find(&axis);
  return found == chosen_.end() ? std::nullopt : std::optional(found->second);
}

void PlotZoom::set(const QCPAxis& axis, std::optional<AxisRange> range) {
  chosen_.erase(&axis);
  if (range) chosen_[&axis] = *range;
}

void PlotZoom::choose(QCPAxis& axis, const QCPRange& range) {
  if (usable(axis, range)) chosen_[&axis] = {range.lower, range.upper};
}

void PlotZoom::zoomTo(const QRectF& drawn) {
  for (QCPAxisRect* rect : rects_) {
    const QRectF part = drawn & QRectF(rect->rect());
    if (part.width() < kSlip || part.height() < kSlip) continue;
    QCPAxis &x = *rect->axis(QCPAxis::atBottom), &y = *rect->axis(QCPAxis::atLeft);
    const QCPRange keys(x.pixelToCoord(part.left()), x.pixelToCoord(part.right()));
    const QCPRange values(y.pixelToCoord(part.bottom()), y.pixelToCoord(part.top()));
    x.setRange(keys);
    y.setRange(values);
    return;
  }
}

void PlotZoom::zoomBy(double factor) {
  for (const QCPAxisRect* rect : rects_) {
    const QPointF centre = QRectF(rect->rect()).center();
    QCPAxis &x = *rect->axis(QCPAxis::atBottom), &y = *rect->axis(QCPAxis::atLeft);
    x.scaleRange(1 / factor, x.pixelToCoord(centre.x()));
    y.scaleRange(1 / factor, y.pixelToCoord(centre.y()));
  }
}

void PlotZoom::followAgain() {
  follow();
  emit changed(nullptr);
}

bool PlotZoom::takeKey(int key) {
  switch (key) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoomBy(kKeyZoom);
      return true;
    case Qt::Key_Minus:
      zoomBy(1 / kKeyZoom);
      return true;
    case Qt::Key_0:
      followAgain();
      return true;
    default:
      return false;
  }
}

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keyboard input of a LinePlot.
#include <qcustomplot.h>

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/figure/number_text.h"
#include "ui/plots/line_plot.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kKeyZoom = 1.5, kWheelZoom = 1.2;
constexpr double kPanShare = 0.1;
constexpr double kClick = 3;  // pixels that a click may move, as in QCustomPlot
// Below this, differences of doubles are rounding noise, and ticks repeat.
constexpr double kSmallestShare = 1e-9;
constexpr double kLargest = 1e15;

bool usable(const QCPAxis& axis, const QCPRange& range) {
  const double size = std::max(std::abs(range.lower), std::abs(range.upper));
  const bool positive = axis.scaleType() == QCPAxis::stLinear || range.lower > 0;
  return positive && size < kLargest && range.size() > size * kSmallestShare;
}

}  // namespace

void LinePlot::connectMouse() {
  QCustomPlot& plot = canvas();
  plot.setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  plot.axisRect()->setRangeZoomFactor(1 / kWheelZoom);
  connect(plot.xAxis, qOverload<const QCPRange&, const QCPRange&>(&QCPAxis::rangeChanged), this,
          [this](const QCPRange& range, const QCPRange& before) {
            // There is nothing between two steps.
            const bool too_close = range.size() < before.size() && before.size() < 2;
            if (!too_close && usable(*canvas().xAxis, range))
              zoom_x_ = AxisRange{range.lower, range.upper};
            redraw();
            emit zoomXChanged(zoom_x_);
          });
  connect(plot.yAxis, qOverload<const QCPRange&, const QCPRange&>(&QCPAxis::rangeChanged), this,
          [this](const QCPRange& range) {
            if (usable(*canvas().yAxis, range)) zoom_y_ = AxisRange{range.lower, range.upper};
            redraw();
          });
  connect(&plot, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) press_ = event->position();
    const bool moves = event->modifiers() & Qt::ShiftModifier;
    canvas().setSelectionRectMode(moves ? QCP::srmNone : QCP::srmCustom);
  });
  connect(&plot, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
    const QPointF place = event->position();
    if (event->buttons() & Qt::LeftButton) return;
    canvas().setCursor(flagsAt(place).empty() ? Qt::CrossCursor : Qt::PointingHandCursor);
    moveCursor(axes().contains(place) ? nearestStep(canvas().xAxis->pixelToCoord(place.x()))
                                      : std::nullopt);
  });
  connect(&plot, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !press_) return;
    const QPointF way = event->position() - *std::exchange(press_, std::nullopt);
    if (way.manhattanLength() > kClick) return;
    if (const auto flags = flagsAt(event->position()); !flags.empty())
      emit flagActivated(flags.front());
  });
  connect(plot.selectionRect(), &QCPSelectionRect::accepted, this,
          [this](const QRect& drawn) { zoomTo(QRectF(drawn.normalized()) & axes()); });
  connect(&plot, &QCustomPlot::mouseDoubleClick, this, [this] {
    press_.reset();
    follow();
    emit zoomXChanged(std::nullopt);
  });
  connect(this, &Plot::redrawn, this, &LinePlot::describe);
}

void LinePlot::zoomTo(const QRectF& drawn) {
  // A very thin rectangle was not intended.
  const double least = style_.px(4);
  if (drawn.width() < least || drawn.height() < least) return;
  const QCPAxis &x = *canvas().xAxis, &y = *canvas().yAxis;
  const QCPRange keys(x.pixelToCoord(drawn.left()), x.pixelToCoord(drawn.right()));
  const QCPRange values(y.pixelToCoord(drawn.bottom()), y.pixelToCoord(drawn.top()));
  canvas().xAxis->setRange(keys);
  canvas().yAxis->setRange(values);
}

void LinePlot::zoomBy(double factor) {
  const QPointF centre = axes().center();
  for (QCPAxis* axis : {canvas().xAxis, canvas().yAxis})
    axis->scaleRange(1 / factor,
                     axis->pixelToCoord(axis == canvas().xAxis ? centre.x() : centre.y()));
}

void LinePlot::pan(double x_share, double y_share) {
  const AxisRange x = shownX(), y = shownY();
  if (x_share != 0) canvas().xAxis->moveRange(x_share * x.span());
  if (y_share == 0) return;
  canvas().yAxis->moveRange(logarithmic_ ? std::pow(y.high / y.low, y_share) : y_share * y.span());
}

void LinePlot::moveCursor(std::optional<double> step) {
  if (step == cursor_) return;
  setCursorStep(step);
  emit cursorMoved(step);
}

std::optional<double> LinePlot::nearestStep(double step) const {
  std::optional<double> best;
  for (const LineCurve& curve : curves_) {
    const auto at = curve.data.nearest(step);
    if (!at) continue;
    const double found = curve.data.steps()[*at];
    if (!best || std::abs(found - step) < std::abs(*best - step)) best = found;
  }
  return best;
}

void LinePlot::moveCursorBy(int points) {
  const AxisRange shown = shownX();
  if (!cursor_) return moveCursor(nearestStep(points > 0 ? shown.low : shown.high));
  // The nearest point of any curve on that side.
  std::optional<double> next;
  for (const LineCurve& curve : curves_) {
    const auto steps = curve.data.steps();
    const auto place = points > 0 ? std::upper_bound(steps.begin(), steps.end(), *cursor_)
                                  : std::lower_bound(steps.begin(), steps.end(), *cursor_);
    if (points > 0 ? place == steps.end() : place == steps.begin()) continue;
    const double step = points > 0 ? *place : *(place - 1);
    if (!next || std::abs(step - *cursor_) < std::abs(*next - *cursor_)) next = step;
  }
  if (next) moveCursor(next);
}

void LinePlot::moveCursorToFlag(int direction) {
  const double from = cursor_.value_or(direction > 0 ? -INFINITY : INFINITY);
  std::optional<double> next;
  for (const PlotFlag& flag : flags_) {
    if ((flag.step - from) * direction <= 0) continue;
    if (!next || (*next - flag.step) * direction > 0) next = flag.step;
  }
  if (next) moveCursor(next);
}

void LinePlot::copyReadings() const {
  QStringList lines;
  for (const LineCurve& curve : curves_)
    if (const auto at = curve.data.indexAt(cursor_.value_or(INFINITY)))
      lines << QStringLiteral("%1\t%2\t%3")
                   .arg(curve.name, fullPrecision(curve.data.steps()[*at]),
                        fullPrecision(curve.data.values()[*at]));
  QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void LinePlot::describe() {
  QStringList parts;
  for (const LineCurve& curve : curves_)
    if (const auto at = curve.data.indexAt(cursor_.value_or(INFINITY)))
      parts << tr("%1 %2 at step %3")
                   .arg(curve.name, readingText(curve.data.values()[*at]),
                        stepNumber(curve.data.steps()[*at]));
  setAccessibleDescription(parts.isEmpty() ? tr("No data yet") : parts.join(QStringLiteral(", ")));
}

std::vector<int> LinePlot::flagsAt(const QPointF& place) const {
  const double reach = style_.px(4);
  std::vector<int> found;
  const std::vector<PlacedFlag>& placed = layout_.flags;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const PlacedFlag& flag = placed[i];
    const bool on_line = std::abs(place.x() - flag.x) <= reach && place.y() >= flag.box.top() &&
                         place.y() <= axes().bottom();
    const bool on_text = flag.box.contains(place);
    // A text also stands for the flags it counts.
    for (std::size_t k = on_text ? i - std::size_t(flag.hidden) : i; k < i; ++k)
      if (std::ranges::find(found, placed[k].index) == found.end())
        found.push_back(placed[k].index);
    if (on_line || on_text) found.push_back(flag.index);
  }
  return found;
}

QString LinePlot::toolTipAt(const QPointF& place) const {
  QStringList texts;
  for (const int flag : flagsAt(place)) texts << flags_[std::size_t(flag)].text;
  return texts.join(QLatin1Char('\n'));
}

void LinePlot::keyPressEvent(QKeyEvent* event) {
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  if (event->matches(QKeySequence::Copy)) return copyReadings();
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoomBy(kKeyZoom);
    case Qt::Key_Minus:
      return zoomBy(1 / kKeyZoom);
    case Qt::Key_0:
      follow();
      emit zoomXChanged(std::nullopt);
      return;
    case Qt::Key_Left:
      return shift ? moveCursorBy(-1) : pan(-kPanShare, 0);
    case Qt::Key_Right:
      return shift ? moveCursorBy(1) : pan(kPanShare, 0);
    case Qt::Key_Up:
      return pan(0, kPanShare);
    case Qt::Key_Down:
      return pan(0, -kPanShare);
    case Qt::Key_PageDown:
      return moveCursorToFlag(1);
    case Qt::Key_PageUp:
      return moveCursorToFlag(-1);
    case Qt::Key_L:
      return setLogarithmic(!logarithmic_);
    case Qt::Key_Escape:
      if (!cursor_) break;
      return moveCursor(std::nullopt);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      for (std::size_t i = 0; cursor_ && i < flags_.size(); ++i)
        if (flags_[i].step == *cursor_) return emit flagActivated(int(i));
      break;
    default:
      break;
  }
  QWidget::keyPressEvent(event);
}

void LinePlot::leaveEvent(QEvent*) { moveCursor(std::nullopt); }

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// How a LinePlot answers mouse and keyboard.
#include <QApplication>
#include <QClipboard>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QRubberBand>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/plots/line_cursor.h"
#include "ui/plots/line_plot.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kKeyZoom = 1.5;
constexpr double kPanShare = 0.1;

}  // namespace

void LinePlot::zoomTo(const AxisRange& x, const AxisRange& y) {
  scene_.zoom_x = x;
  scene_.zoom_y = y;
  redraw_.request();
  emit zoomXChanged(x);
}

void LinePlot::zoomAround(const QPointF& centre, double factor) {
  const PlotFrame& frame = layout_.frame;
  // Steps closer than one apart do not exist.
  if (factor > 1 && frame.x.span() < 2) return;
  zoomTo(zoomed(frame.x, frame.pixelToX(centre.x()), factor),
         zoomed(frame.y, frame.pixelToY(centre.y()), factor, frame.logarithmic));
}

void LinePlot::pan(double x_share, double y_share) {
  const PlotFrame& frame = layout_.frame;
  zoomTo(panned(frame.x, x_share), panned(frame.y, y_share, frame.logarithmic));
}

void LinePlot::moveCursor(std::optional<double> step) {
  if (step == cursor_) return;
  setCursorStep(step);
  emit cursorMoved(step);
}

std::optional<double> LinePlot::nearestStep(double step) const {
  std::optional<double> best;
  for (const LineCurve& curve : scene_.curves) {
    const auto at = curve.data.nearest(step);
    if (!at) continue;
    const double found = curve.data.steps()[*at];
    if (!best || std::abs(found - step) < std::abs(*best - step)) best = found;
  }
  return best;
}

void LinePlot::moveCursorBy(int points) {
  const AxisRange& shown = layout_.frame.x;
  if (!cursor_) return moveCursor(nearestStep(points > 0 ? shown.low : shown.high));
  // The nearest point of any curve on that side.
  std::optional<double> next;
  for (const LineCurve& curve : scene_.curves) {
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
  for (const PlotFlag& flag : scene_.flags) {
    if ((flag.step - from) * direction <= 0) continue;
    if (!next || (*next - flag.step) * direction > 0) next = flag.step;
  }
  if (next) moveCursor(next);
}

void LinePlot::copyReadings() const {
  QStringList lines;
  for (const LineReading& reading : readLines(scene_, cursor_.value_or(INFINITY)))
    lines << QStringLiteral("%1\t%2\t%3")
                 .arg(scene_.curves[static_cast<std::size_t>(reading.curve)].name,
                      fullPrecision(reading.step), fullPrecision(reading.value));
  QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

std::vector<int> LinePlot::flagsAt(const QPointF& place) const {
  const double reach = style_.px(4);
  std::vector<int> flags;
  for (std::size_t i = 0; i < layout_.flags.size(); ++i) {
    const LineLayout::Flag& flag = layout_.flags[i];
    const bool on_line = std::abs(place.x() - flag.x) <= reach && place.y() >= flag.box.top() &&
                         place.y() <= layout_.frame.rect.bottom();
    const bool on_text = flag.box.contains(place);
    // A text speaks for the flags that it counts, too.
    for (std::size_t k = on_text ? i - flag.hidden : i; k < i; ++k)
      if (std::find(flags.begin(), flags.end(), layout_.flags[k].index) == flags.end())
        flags.push_back(layout_.flags[k].index);
    if (on_line || on_text) flags.push_back(flag.index);
  }
  return flags;
}

void LinePlot::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  press_ = event->position();
}

void LinePlot::mouseMoveEvent(QMouseEvent* event) {
  const QPointF place = event->position();
  if (press_ && (event->buttons() & Qt::LeftButton)) {
    const bool moved = (place - *press_).manhattanLength() >= QApplication::startDragDistance();
    if (!moved && !band_->isVisible()) return;
    const QRectF drawn = QRectF(*press_, place).normalized() & layout_.frame.rect;
    band_->setGeometry(drawn.toRect());
    band_->show();
    return;
  }
  setCursor(flagsAt(place).empty() ? Qt::CrossCursor : Qt::PointingHandCursor);
  const bool inside = layout_.frame.rect.contains(place);
  moveCursor(inside ? nearestStep(layout_.frame.pixelToX(place.x())) : std::nullopt);
}

void LinePlot::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !press_) return event->ignore();
  const QPointF start = *press_;
  press_.reset();
  if (!band_->isVisible()) {
    if (const auto flags = flagsAt(start); !flags.empty()) emit flagActivated(flags.front());
    return;
  }
  band_->hide();
  const PlotFrame& frame = layout_.frame;
  const QRectF drawn = QRectF(start, event->position()).normalized() & frame.rect;
  // A rectangle as thin as a slip of the hand is none.
  const double least = style_.px(4);
  if (drawn.width() < least || drawn.height() < least) return;
  zoomTo({frame.pixelToX(drawn.left()), frame.pixelToX(drawn.right())},
         {frame.pixelToY(drawn.bottom()), frame.pixelToY(drawn.top())});
}

void LinePlot::mouseDoubleClickEvent(QMouseEvent*) {
  press_.reset();
  follow();
  emit zoomXChanged(std::nullopt);
}

void LinePlot::wheelEvent(QWheelEvent* event) {
  if (!layout_.frame.rect.contains(event->position())) return event->ignore();
  zoomAround(event->position(), std::pow(1.2, event->angleDelta().y() / 120.0));
  event->accept();
}

void LinePlot::keyPressEvent(QKeyEvent* event) {
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  const QPointF centre = layout_.frame.rect.center();
  if (event->matches(QKeySequence::Copy)) return copyReadings();
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoomAround(centre, kKeyZoom);
    case Qt::Key_Minus:
      return zoomAround(centre, 1 / kKeyZoom);
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
      return setLogarithmic(!scene_.logarithmic);
    case Qt::Key_Escape:
      if (!cursor_) break;
      return moveCursor(std::nullopt);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      for (std::size_t i = 0; cursor_ && i < scene_.flags.size(); ++i)
        if (scene_.flags[i].step == *cursor_) return emit flagActivated(static_cast<int>(i));
      break;
    default:
      break;
  }
  QWidget::keyPressEvent(event);
}

// The frame helps who came by keyboard; after a click it would only be in the way.
void LinePlot::focusInEvent(QFocusEvent* event) {
  focus_shown_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
  update();
}

void LinePlot::focusOutEvent(QFocusEvent*) {
  focus_shown_ = false;
  update();
}

void LinePlot::leaveEvent(QEvent*) { moveCursor(std::nullopt); }

}  // namespace tfm::ui

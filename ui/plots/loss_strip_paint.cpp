// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/figure/number_text.h"
#include "ui/plots/loss_strip.h"
#include "ui/plots/plot_look.h"
#include "ui/plots/polyline.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

void drawLine(QPainter& painter, const Polyline& line, const PlotFrame& frame) {
  QPolygonF piece;
  const auto finish = [&] {
    if (piece.size() == 1) painter.drawPoint(piece.first());
    if (piece.size() > 1) painter.drawPolyline(piece);
    piece.clear();
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (std::isnan(line.y[i]))
      finish();
    else
      piece << QPointF(frame.xToPixel(line.x[i]), frame.yToPixel(line.y[i]));
  }
  finish();
}

/// A vertical line with a text beside it, on whichever side has room, above or below the curve.
void drawMarker(QPainter& painter, const PlotFrame& frame, const PlotLook& look, double step,
                const QPen& pen, const QString& text, double curve_y) {
  if (step < frame.x.low || step > frame.x.high) return;
  const double x = crisp(frame.xToPixel(step)), unit = look.unit;
  painter.setPen(pen);
  painter.drawLine(QPointF(x, frame.rect.top()), QPointF(x, frame.rect.bottom()));
  const QFontMetricsF metrics(look.number);
  const double width = metrics.horizontalAdvance(text), gap = 6 * unit;
  QRectF box(x + gap, frame.rect.top(), width, metrics.height());
  if (box.right() > frame.rect.right()) box.moveRight(x - gap);
  if (curve_y < frame.rect.center().y()) box.moveBottom(frame.rect.bottom());
  if (text.isEmpty()) return;
  // Over the curve, flags and pins: a number that is crossed out says nothing.
  QColor ground = look.palette.raised;
  ground.setAlphaF(0.85F);
  painter.fillRect(box.adjusted(-2 * unit, 0, 2 * unit, 0), ground);
  painter.setFont(look.number);
  painter.setPen(pen.color());
  painter.drawText(box.adjusted(0, 0, 2, 0), Qt::AlignVCenter, text);
}

void drawFlag(QPainter& painter, const PlotFrame& frame, const PlotLook& look,
              const PlotFlag& flag) {
  if (flag.step < frame.x.low || flag.step > frame.x.high) return;
  const QColor& colour = look.palette.*flag.colour;
  const QPointF top(crisp(frame.xToPixel(flag.step)), frame.rect.top());
  painter.setPen(QPen(colour, look.unit));
  painter.drawLine(top, QPointF(top.x(), frame.rect.bottom()));
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawPolygon(QPolygonF(
      {top, top + QPointF(6 * look.unit, 3.5 * look.unit), top + QPointF(0, 7 * look.unit)}));
  painter.setBrush(Qt::NoBrush);
}

}  // namespace

PlotFrame LossStrip::paintCurve(QPainter& painter, const QRectF& area, const PlotLook& look) const {
  const double unit = look.unit;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(look.palette.raised);
  painter.drawRoundedRect(area, 7 * unit, 7 * unit);
  painter.setBrush(Qt::NoBrush);

  PlotFrame frame;
  frame.logarithmic = logarithmic_;
  frame.rect = area.adjusted(6 * unit, 4 * unit, -6 * unit, -4 * unit);
  if (!loss_.empty()) {
    const double first = loss_.steps().front();
    frame.x = {first, std::max(loss_.steps().back(), first + 1)};
  }
  const int columns = std::max(static_cast<int>(frame.rect.width()), 2);
  const Polyline raw = decimate(loss_.steps(), loss_.values(), frame.x, columns, logarithmic_);
  const Polyline smooth =
      averaged(loss_.steps(), loss_.smoothed(), frame.x, columns / 2, logarithmic_);
  double low = INFINITY, high = -INFINITY;
  for (double value : raw.y) {
    if (std::isnan(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  frame.y = logarithmic_ ? AxisRange{0.1, 1} : AxisRange{};
  if (low <= high) frame.y = padded(low, high, logarithmic_);

  painter.setPen(QPen(look.faded(look.palette.accent, 0.4), unit));
  drawLine(painter, raw, frame);
  QPen line(look.palette.accent, 1.8 * unit);
  line.setJoinStyle(Qt::RoundJoin);
  line.setCapStyle(Qt::RoundCap);
  painter.setPen(line);
  drawLine(painter, smooth, frame);

  QString note;
  if (loss_.empty()) note = tr("The loss appears here");
  if (raw.not_finite > 0) note = tr("%1 values are not numbers").arg(raw.not_finite);
  if (raw.not_positive > 0)
    note = tr("%1 values at or below 0 are not on a logarithmic axis").arg(raw.not_positive);
  painter.setFont(look.text);
  painter.setPen(look.palette.muted);
  painter.drawText(frame.rect, Qt::AlignCenter, note);
  return frame;
}

void LossStrip::paintMarkers(QPainter& painter, const PlotFrame& frame,
                             const PlotLook& look) const {
  painter.setRenderHint(QPainter::Antialiasing);
  const double unit = look.unit;
  const auto mark = [&](double step, const QPen& pen, const QString& text) {
    const auto at = loss_.nearest(step);
    const double y = at ? frame.yToPixel(loss_.smoothed()[*at]) : frame.rect.bottom();
    drawMarker(painter, frame, look, step, pen, text, y);
  };
  paintMoments(painter, frame, look);
  for (const PlotFlag& flag : flags_) drawFlag(painter, frame, look, flag);
  for (const PlotFlag& pin : pins_) mark(pin.step, look.markerPen(look.palette.mark), pin.text);
  paintCurrent(painter, frame, look);
  if (hovered_)
    mark(*hovered_, QPen(look.palette.muted, unit, Qt::DotLine), hoverText(frame, look));
}

void LossStrip::paintCurrent(QPainter& painter, const PlotFrame& frame,
                             const PlotLook& look) const {
  const auto at = currentIndex();
  if (!at) return;
  const double unit = look.unit;
  const double x = frame.xToPixel(loss_.steps()[*at]);
  painter.setPen(QPen(look.palette.text, 1.6 * unit));
  painter.drawLine(QPointF(x, frame.rect.top()), QPointF(x, frame.rect.bottom()));
  const double y = frame.yToPixel(loss_.smoothed()[*at]);
  if (!std::isfinite(y)) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(look.palette.text);
  painter.drawEllipse(QPointF(x, y), 4 * unit, 4 * unit);
  painter.setBrush(Qt::NoBrush);
}

QString LossStrip::hoverText(const PlotFrame& frame, const PlotLook& look) const {
  const double reach = 5 * look.unit, x = frame.xToPixel(*hovered_);
  const QString step = tr("step %1").arg(stepNumber(*hovered_));
  for (const PlotFlag& flag : flags_)
    if (std::abs(frame.xToPixel(flag.step) - x) <= reach && !flag.text.isEmpty())
      return tr("%1: %2", "a step and what was done at it").arg(step, flag.text);
  return step;
}

void LossStrip::paintMoments(QPainter& painter, const PlotFrame& frame,
                             const PlotLook& look) const {
  painter.setPen(QPen(look.faded(look.palette.text, 0.35), look.unit));
  const double bottom = frame.rect.bottom(), gap = 3 * look.unit;
  double last = -INFINITY;
  for (const double step : moments_) {
    const double x = crisp(frame.xToPixel(std::max(step, frame.x.low)));
    // Ticks that stand side by side would be a bar.
    if (step > frame.x.high || x - last < gap) continue;
    painter.drawLine(QPointF(x, bottom), QPointF(x, bottom - 4 * look.unit));
    last = x;
  }
}

void LossStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.drawPixmap(0, 0, curve_);
  const PlotLook look(style_, style_.palette());
  paintMarkers(painter, frame_, look);
  if (!hasFocus()) return;
  painter.setPen(QPen(look.palette.accent, look.unit));
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 7 * look.unit, 7 * look.unit);
}

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/line_cursor.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/figure/number_text.h"

namespace tfm::ui {
namespace {

struct Text {
  Q_DECLARE_TR_FUNCTIONS(LinePlot)
};

/// "0.0123", with its step where the curve has no point at the cursor's.
QString valueText(const LineScene& scene, const LineReading& reading, double step) {
  const QString value = readingText(scene, reading.value);
  if (reading.step == step) return value;
  return Text::tr("%1 at %2").arg(value, stepNumber(reading.step));
}

QString smoothedText(const LineScene& scene, const LineReading& reading) {
  if (scene.curves[reading.curve].data.smoothing() == 0) return {};
  return QStringLiteral("≈ ") + readingText(scene, reading.smoothed);
}

void paintMarks(QPainter& painter, const PlotFrame& frame, const PlotLook& look,
                const std::vector<LineReading>& readings, double step) {
  const double x = crisp(frame.xToPixel(step)), unit = look.unit;
  painter.setPen(QPen(look.palette.text, unit));
  painter.drawLine(QPointF(x, frame.rect.top()), QPointF(x, frame.rect.bottom()));
  for (const LineReading& reading : readings) {
    const QPointF place(frame.xToPixel(reading.step), frame.yToPixel(reading.smoothed));
    if (!std::isfinite(place.y()) || !frame.rect.contains(place)) continue;
    painter.setBrush(look.seriesColour(reading.curve));
    painter.setPen(QPen(look.palette.panel, 1.5 * unit));
    painter.drawEllipse(place, 4.5 * unit, 4.5 * unit);
  }
}

/// A row for each reading: the line's sample, its name, the value, the average. In a narrow plot
/// the sample has to do for the name, and the average is left out.
void paintBox(QPainter& painter, const LineScene& scene, const LineLayout& layout,
              const PlotLook& look, const std::vector<LineReading>& readings, double step) {
  const QRectF& rect = layout.frame.rect;
  const double unit = look.unit, pad = 8 * unit, gap = 12 * unit, sample = 26 * unit;
  const bool narrow = rect.width() < 360 * unit;
  const QFontMetricsF names(look.strong), numbers(look.number);
  const QString title = Text::tr("step %1").arg(stepNumber(step));
  double name = 0, value = 0, average = 0;
  for (const LineReading& reading : readings) {
    value = std::max(value, numbers.horizontalAdvance(valueText(scene, reading, step)));
    if (narrow) continue;
    name = std::max(name, gap + names.horizontalAdvance(scene.curves[reading.curve].name));
    const QString text = smoothedText(scene, reading);
    if (!text.isEmpty()) average = std::max(average, gap + numbers.horizontalAdvance(text));
  }
  const double width =
      std::max(sample + name + value + average, numbers.horizontalAdvance(title)) + 2 * pad;
  const double x = layout.frame.xToPixel(step);
  QRectF box(x + gap, rect.top() + pad, width,
             layout.row * static_cast<double>(readings.size() + 1) + 2 * pad);
  if (box.right() > rect.right()) box.moveRight(x - gap);
  box.moveLeft(std::max(box.left(), 0.0));
  painter.setPen(QPen(look.palette.line, unit));
  painter.setBrush(look.palette.raised);
  painter.drawRoundedRect(box, 7 * unit, 7 * unit);
  painter.setBrush(Qt::NoBrush);

  QRectF line(box.left() + pad, box.top() + pad, width - 2 * pad, layout.row);
  painter.setFont(look.number);
  painter.setPen(look.palette.muted);
  painter.drawText(line, Qt::AlignVCenter, title);
  for (const LineReading& reading : readings) {
    line.translate(0, layout.row);
    const QPointF left(line.left(), line.center().y());
    painter.setPen(look.seriesPen(reading.curve));
    painter.drawLine(left, left + QPointF(20 * unit, 0));
    painter.setPen(look.palette.text);
    painter.setFont(look.strong);
    if (!narrow)
      painter.drawText(line.adjusted(sample, 0, 0, 0), Qt::AlignVCenter,
                       scene.curves[reading.curve].name);
    painter.setFont(look.number);
    painter.drawText(QRectF(line.left(), line.top(), sample + name + value, line.height()),
                     Qt::AlignRight | Qt::AlignVCenter, valueText(scene, reading, step));
    if (narrow) continue;
    painter.setPen(look.palette.muted);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, smoothedText(scene, reading));
  }
}

}  // namespace

std::vector<LineReading> readLines(const LineScene& scene, double step) {
  std::vector<LineReading> readings;
  for (std::size_t i = 0; i < scene.curves.size(); ++i) {
    const LineSeries& data = scene.curves[i].data;
    if (const auto at = data.indexAt(step))
      readings.push_back(
          {static_cast<int>(i), data.steps()[*at], data.values()[*at], data.smoothed()[*at]});
  }
  return readings;
}

QString spokenReadings(const LineScene& scene, const std::vector<LineReading>& readings) {
  QStringList parts;
  for (const LineReading& reading : readings)
    parts << Text::tr("%1 %2 at step %3")
                 .arg(scene.curves[reading.curve].name, readingText(scene, reading.value),
                      stepNumber(reading.step));
  return parts.isEmpty() ? Text::tr("No data yet") : parts.join(QStringLiteral(", "));
}

void paintMoment(QPainter& painter, const LineLayout& layout, const PlotLook& look, double step) {
  const PlotFrame& frame = layout.frame;
  if (step < frame.x.low || step > frame.x.high) return;
  const double x = crisp(frame.xToPixel(step)), unit = look.unit, pad = 5 * unit;
  painter.setPen(QPen(look.palette.text, 2 * unit));
  painter.drawLine(QPointF(x, frame.rect.top()), QPointF(x, frame.rect.bottom()));
  const QString text = Text::tr("shown: step %1").arg(stepNumber(step));
  const double width = QFontMetricsF(look.number).horizontalAdvance(text) + 2 * pad;
  QRectF box(x + pad, frame.rect.bottom() - layout.row - pad, width, layout.row);
  if (box.right() > frame.rect.right()) box.moveRight(x - pad);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(look.palette.panel);
  painter.drawRoundedRect(box, 4 * unit, 4 * unit);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(look.palette.text);
  painter.setFont(look.number);
  painter.drawText(box, Qt::AlignCenter, text);
}

void paintCursor(QPainter& painter, const LineScene& scene, const LineLayout& layout,
                 const PlotLook& look, double step) {
  const PlotFrame& frame = layout.frame;
  if (step < frame.x.low || step > frame.x.high) return;
  painter.setRenderHint(QPainter::Antialiasing);
  const std::vector<LineReading> readings = readLines(scene, step);
  paintMarks(painter, frame, look, readings, step);
  paintBox(painter, scene, layout, look, readings, step);
}

}  // namespace tfm::ui

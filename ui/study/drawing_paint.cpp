// SPDX-License-Identifier: GPL-3.0-or-later
// What QCustomPlot has no shapes for: cells, bars with numbers, circuits and levels.
#include <qcustomplot.h>

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/figure/number_text.h"
#include "ui/plots/plot_frame.h"
#include "ui/study/drawing_plot.h"

namespace tfm::ui {
namespace {

constexpr double kTitleHeight = 20;  // at scale 1

QString drawn(const std::string& text) { return QString::fromStdString(text); }

}  // namespace

void DrawingPlot::paintBelow(QPainter& painter) const {
  if (is(Kind::Cells)) paintCells(painter);
  if (is(Kind::Bars)) paintBars(painter);
  if (is(Kind::Circuit)) paintCircuit(painter);
}

void DrawingPlot::paintAbove(QPainter& painter) const {
  const double unit = look().unit;
  const QRectF axes = canvas().axisRect()->rect();
  paintLevels(painter);
  paintLabels(painter);
  painter.setFont(look().text);
  painter.setPen(look().palette.muted);
  painter.drawText(QRectF(4 * unit, axes.top() - (kTitleHeight + 4) * unit,
                          canvas().viewport().width() - 8 * unit, kTitleHeight * unit),
                   Qt::AlignVCenter | Qt::AlignLeft, drawn(drawing_.y_title));
  painter.drawText(
      QRectF(axes.left(), axes.bottom() + kTitleHeight * unit, axes.width(), kTitleHeight * unit),
      Qt::AlignRight | Qt::AlignVCenter, drawn(drawing_.x_title));
  if (drawing_.series.empty()) painter.drawText(axes, Qt::AlignCenter, tr("No data yet"));
}

void DrawingPlot::paintLevels(QPainter& painter) const {
  const QCPAxisRect& axes = *canvas().axisRect();
  const QCPAxis& values = *axes.axis(QCPAxis::atLeft);
  painter.setFont(look().text);
  const QFontMetricsF metrics(look().text);
  for (const auto& level : drawing_.levels) {
    if (!values.range().contains(level.y)) continue;
    const double y = crisp(values.coordToPixel(level.y));
    painter.setPen(look().markerPen(look().palette.text));
    painter.drawLine(QPointF(axes.left(), y), QPointF(axes.right(), y));
    const QString name = drawn(level.name);
    const QRectF place(axes.right() - metrics.horizontalAdvance(name) - 6 * look().unit,
                       y - metrics.height() - 1, metrics.horizontalAdvance(name) + 4 * look().unit,
                       metrics.height());
    QColor behind = look().palette.panel;  // bars may stand there
    behind.setAlphaF(0.8F);
    painter.fillRect(place, behind);
    painter.setPen(look().palette.text);
    painter.drawText(place, Qt::AlignCenter, name);
  }
}

void DrawingPlot::paintCells(QPainter& painter) const {
  double low = 0, high = 0;
  for (const Point& point : points_) {
    low = std::min(low, valueOf(point));
    high = std::max(high, valueOf(point));
  }
  const double limit = std::max({-low, high, 1e-300});
  painter.setFont(look().number);
  const QFontMetricsF metrics(look().number);
  painter.save();
  painter.setClipRect(QRectF(canvas().axisRect()->rect()));
  for (const Point& point : points_) {
    const double value = valueOf(point);
    const QRectF area = areaOf(point).adjusted(0.5, 0.5, -0.5, -0.5);
    const QColor fill =
        low < 0 ? signedColor(look().palette, value, limit) : cividis(value / limit);
    painter.fillRect(area, fill);
    const QString text = tickNumber(value);
    if (metrics.horizontalAdvance(text) > area.width() - 2 || metrics.height() > area.height() + 4)
      continue;
    painter.setPen(readableOn(fill));
    painter.drawText(area, Qt::AlignCenter, text);
  }
  painter.restore();
}

void DrawingPlot::paintBars(QPainter& painter) const {
  painter.setFont(look().number);
  const QFontMetricsF metrics(look().number);
  painter.save();
  painter.setClipRect(QRectF(canvas().axisRect()->rect()));
  for (const Point& point : points_) {
    const QRectF area = areaOf(point).adjusted(1, 0, -1, 0);
    painter.fillRect(area, look().seriesColour(point.series));
    const double value = valueOf(point);
    const auto fits = [&](const QString& text) {  // else it would meet the next
      return metrics.horizontalAdvance(text) + 2 <= area.width() + 8 * look().unit;
    };
    QString text = tickNumber(value);
    if (!fits(text))
      text = std::abs(value) >= 1000 ? tr("%1 k").arg(tickNumber(value / 1000))
                                     : QLocale().toString(value, 'g', 2);
    if (!fits(text)) continue;
    const QRectF above(area.center().x() - metrics.horizontalAdvance(text) / 2 - 1,
                       area.top() - metrics.height(), metrics.horizontalAdvance(text) + 2,
                       metrics.height());
    painter.setPen(look().palette.text);
    painter.drawText(above, Qt::AlignCenter, text);
  }
  painter.restore();
}

void DrawingPlot::paintCircuit(QPainter& painter) const {
  const double unit = look().unit;
  painter.setRenderHint(QPainter::Antialiasing);
  for (int s = 0; s < int(drawing_.series.size()); ++s) {
    const reproduce::Series& series = drawing_.series[std::size_t(s)];
    const auto box = [&](double index) { return areaOf({s, int(index)}); };
    painter.setPen(QPen(look().palette.accent, 2 * unit));
    for (std::size_t i = 0; i < series.x.size(); ++i) {  // around what a residual sum skips
      const QRectF from = box(series.x[i]), to = box(series.y[i]);
      const double top = from.top() - 0.7 * from.height();
      QPainterPath path(QPointF(from.center().x(), from.top()));
      path.lineTo(from.center().x(), top);
      path.lineTo(to.center().x(), top);
      path.lineTo(to.center().x(), to.top());
      painter.setBrush(Qt::NoBrush);
      painter.drawPath(path);
    }
    for (int i = 0; i < int(series.labels.size()); ++i) {
      const QRectF area = box(i);
      painter.setPen(QPen(look().palette.muted, unit));
      if (i > 0)
        painter.drawLine(QPointF(box(i - 1).right(), area.center().y()),
                         QPointF(area.left(), area.center().y()));
      painter.setBrush(look().palette.raised);
      painter.drawRoundedRect(area, 4 * unit, 4 * unit);
      painter.setFont(look().text);
      painter.setPen(look().palette.text);
      painter.drawText(area.adjusted(3, 1, -3, -1), Qt::AlignCenter | Qt::TextWordWrap,
                       drawn(series.labels[std::size_t(i)]));
    }
    painter.setFont(look().strong);
    painter.setPen(look().palette.text);
    const QRectF first = box(0);
    painter.drawText(QRectF(first.left(), first.top() - 1.9 * first.height(),
                            canvas().viewport().width(), first.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, drawn(series.name));
  }
}

void DrawingPlot::paintLabels(QPainter& painter) const {
  if (!is(Kind::Lines)) return;
  painter.setFont(look().strong);
  painter.setPen(look().palette.text);
  for (int i = 0; i < pointCount(); ++i) {
    const Point& point = points_[std::size_t(i)];
    const auto& labels = drawing_.series[std::size_t(point.series)].labels;
    if (std::size_t(point.index) >= labels.size()) continue;
    const QPointF place = placeOf(i);
    const double width = 80 * look().unit, gap = 8 * look().unit, height = 20 * look().unit;
    const bool left = point.index == 0;
    painter.drawText(QRectF(left ? place.x() - width - gap : place.x() + gap,
                            place.y() - height / 2, width, height),
                     (left ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
                     drawn(labels[std::size_t(point.index)]));
  }
}

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/schedule_plot.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "ui/figure/number_text.h"
#include "ui/plots/plot_frame.h"
#include "ui/plots/plot_look.h"
#include "ui/style/style.h"

namespace tfm::ui {

SchedulePlot::SchedulePlot(Style& style, QWidget* parent) : QWidget(parent), style_(style) {
  setAccessibleName(figureTitle());
  connect(&style_, &Style::changed, this, [this] {
    updateGeometry();
    update();
  });
}

void SchedulePlot::setCurve(std::vector<QPointF> samples) {
  samples_ = std::move(samples);
  update();
}

void SchedulePlot::setNow(double step, double rate) {
  if (QPointF(step, rate) == now_) return;
  now_ = {step, rate};
  setAccessibleDescription(tr("%1 at step %2").arg(shortNumber(rate), stepNumber(step)));
  update();
}

QSizeF SchedulePlot::figureSize() const { return QSizeF(style_.px(220), style_.px(92)); }

void SchedulePlot::paintFigure(QPainter& painter, const QRectF& area,
                               const Palette& palette) const {
  painter.save();
  paint(painter, area, PlotLook(style_, palette));
  painter.restore();
}

void SchedulePlot::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint(painter, rect(), PlotLook(style_, style_.palette()));
}

void SchedulePlot::paint(QPainter& painter, const QRectF& area, const PlotLook& look) const {
  painter.setRenderHint(QPainter::Antialiasing);
  const double row = QFontMetricsF(look.number).height(), pad = 6 * look.unit;
  const QRectF text = area.adjusted(pad, pad / 2, -pad, -pad / 2);
  painter.setFont(look.number);
  painter.setPen(look.palette.text);
  painter.drawText(text, Qt::AlignRight | Qt::AlignTop, shortNumber(now_.y()));
  painter.setFont(look.text);
  painter.setPen(look.palette.muted);
  painter.drawText(text, Qt::AlignLeft | Qt::AlignTop, figureTitle());
  if (samples_.empty()) return;

  PlotFrame frame;
  frame.rect = area.adjusted(pad, row + 2 * pad, -pad, -row - pad);
  frame.x = {samples_.front().x(), std::max(samples_.back().x(), samples_.front().x() + 1)};
  double highest = now_.y();
  for (const QPointF& sample : samples_) highest = std::max(highest, sample.y());
  frame.y = {0, highest > 0 ? highest : 1};
  const auto pixel = [&frame](const QPointF& point) {
    return QPointF(frame.xToPixel(std::clamp(point.x(), frame.x.low, frame.x.high)),
                   frame.yToPixel(point.y()));
  };

  painter.setFont(look.number);
  painter.drawText(text, Qt::AlignLeft | Qt::AlignBottom, stepNumber(frame.x.low));
  painter.drawText(text, Qt::AlignRight | Qt::AlignBottom,
                   tr("step %1").arg(stepNumber(frame.x.high)));
  painter.setPen(QPen(look.gridColour(), look.unit));
  painter.drawLine(frame.rect.bottomLeft(), frame.rect.bottomRight());

  // What is done is strong, what is planned is faint.
  QPolygonF done, planned;
  for (const QPointF& sample : samples_) (sample.x() <= now_.x() ? done : planned) << pixel(sample);
  const QPointF dot = pixel(now_);
  if (!done.isEmpty()) planned.prepend(done.last());
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(look.faded(look.palette.accent, 0.45), 1.5 * look.unit));
  painter.drawPolyline(planned);
  painter.setPen(QPen(look.palette.accent, 2 * look.unit));
  painter.drawPolyline(done);
  painter.setPen(QPen(look.palette.panel, 1.5 * look.unit));
  painter.setBrush(look.palette.text);
  painter.drawEllipse(dot, 4.5 * look.unit, 4.5 * look.unit);
}

DataTable SchedulePlot::figureData() const {
  DataTable table;
  table.columns << QStringLiteral("step") << QStringLiteral("learning_rate");
  for (const QPointF& sample : samples_)
    table.rows.push_back({fullPrecision(sample.x()), fullPrecision(sample.y())});
  return table;
}

}  // namespace tfm::ui

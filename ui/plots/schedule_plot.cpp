// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/schedule_plot.h"

#include <qcustomplot.h>

#include <QFontMetricsF>
#include <algorithm>

#include "ui/figure/number_text.h"
#include "ui/plots/plot_axes.h"
#include "ui/plots/plot_frame.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

/// A text in the corner of the plot that `alignment` names.
QCPItemText* cornerText(QCustomPlot& plot, Qt::Alignment alignment) {
  auto* text = new QCPItemText(&plot);
  text->setClipToAxisRect(false);
  text->setPositionAlignment(alignment);
  text->position->setType(QCPItemPosition::ptViewportRatio);
  text->position->setCoords(alignment & Qt::AlignRight ? 1 : 0,
                            alignment & Qt::AlignBottom ? 1 : 0);
  return text;
}

}  // namespace

SchedulePlot::SchedulePlot(Style& style, QWidget* parent)
    : Plot(style, parent),
      done_(canvas().addGraph()),
      planned_(canvas().addGraph()),
      dot_(new QCPItemTracer(&canvas())),
      title_(cornerText(canvas(), Qt::AlignLeft | Qt::AlignTop)),
      rate_(cornerText(canvas(), Qt::AlignRight | Qt::AlignTop)),
      first_(cornerText(canvas(), Qt::AlignLeft | Qt::AlignBottom)),
      last_(cornerText(canvas(), Qt::AlignRight | Qt::AlignBottom)) {
  setTitle(tr("Learning rate"));
  setFocusPolicy(Qt::NoFocus);
  title_->setText(figureTitle());
  dot_->setStyle(QCPItemTracer::tsCircle);
  dot_->setClipToAxisRect(false);
  dot_->position->setType(QCPItemPosition::ptPlotCoords);
  canvas().yAxis->setVisible(false);
  canvas().xAxis->setTicks(false);
  canvas().xAxis->setTickLabels(false);
}

void SchedulePlot::setCurve(std::vector<QPointF> samples) {
  samples_ = std::move(samples);
  redraw();
}

void SchedulePlot::setNow(double step, double rate) {
  if (QPointF(step, rate) == now_) return;
  now_ = {step, rate};
  setAccessibleDescription(tr("%1 at step %2").arg(shortNumber(rate), stepNumber(step)));
  redraw();
}

QSizeF SchedulePlot::figureSize() const { return QSizeF(style_.px(220), style_.px(92)); }

void SchedulePlot::prepare(const PlotLook& look, const QSizeF&) const {
  AxisRange steps, rates{0, now_.y()};
  // Completed steps are strong, planned ones faint.
  for (QCPGraph* graph : {done_, planned_}) graph->data()->clear();
  for (const QPointF& sample : samples_) {
    QCPGraph& graph = sample.x() <= now_.x() ? *done_ : *planned_;
    if (&graph == planned_ && planned_->data()->isEmpty() && !done_->data()->isEmpty()) {
      const QCPGraphData& last = *(done_->data()->constEnd() - 1);
      planned_->addData(last.key, last.value);
    }
    graph.addData(sample.x(), sample.y());
    rates.high = std::max(rates.high, sample.y());
  }
  if (!samples_.empty())
    steps = {samples_.front().x(), std::max(samples_.back().x(), samples_.front().x() + 1)};
  setRange(*canvas().xAxis, steps);
  setRange(*canvas().yAxis, {0, rates.high > 0 ? 1.02 * rates.high : 1});
  dot_->position->setCoords(std::clamp(now_.x(), steps.low, steps.high), now_.y());

  const int row = int(QFontMetricsF(look.number).height()), pad = int(6 * look.unit);
  canvas().axisRect()->setMargins({pad, row + 2 * pad, pad, row + pad});
  canvas().xAxis->setBasePen(QPen(look.gridColour(), look.unit));
  canvas().xAxis->grid()->setVisible(false);
  done_->setPen(QPen(look.palette.accent, 2 * look.unit));
  planned_->setPen(QPen(look.faded(look.palette.accent, 0.45), 1.5 * look.unit));
  dot_->setSize(9 * look.unit);
  dot_->setPen(QPen(look.palette.panel, 1.5 * look.unit));
  dot_->setBrush(look.palette.text);
  rate_->setText(shortNumber(now_.y()));
  first_->setText(stepNumber(steps.low));
  last_->setText(tr("step %1").arg(stepNumber(steps.high)));
  for (QCPItemText* text : {title_, rate_, first_, last_}) {
    text->setFont(text == title_ ? look.text : look.number);
    text->setColor(text == rate_ ? look.palette.text : look.palette.muted);
    text->setPadding({pad, pad / 2, pad, pad / 2});
  }
  for (QCPLayerable* drawn : {static_cast<QCPLayerable*>(dot_), static_cast<QCPLayerable*>(first_),
                              static_cast<QCPLayerable*>(last_)})
    drawn->setVisible(!samples_.empty());
}

DataTable SchedulePlot::figureData() const {
  DataTable table;
  table.columns << QStringLiteral("step") << QStringLiteral("learning_rate");
  for (const QPointF& sample : samples_)
    table.rows.push_back({fullPrecision(sample.x()), fullPrecision(sample.y())});
  return table;
}

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_stack.h"

#include <QVBoxLayout>
#include <algorithm>
#include <numeric>

#include "ui/plots/line_plot.h"
#include "ui/style/style.h"

namespace tfm::ui {

PlotStack::PlotStack(Style& style, QWidget* parent) : QWidget(parent), style_(style) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
}

LinePlot& PlotStack::addPlot(int share) {
  auto* plot = new LinePlot(style_, this);
  static_cast<QVBoxLayout*>(layout())->addWidget(plot, share);
  if (!plots_.empty()) plots_.back()->setXLabels(false);
  plots_.push_back(plot);
  shares_.push_back(share);
  connect(plot, &LinePlot::zoomXChanged, this, [this, plot](std::optional<AxisRange> range) {
    for (LinePlot* other : plots_)
      if (other != plot) other->setZoomX(range);
  });
  connect(plot, &LinePlot::cursorMoved, this, [this, plot](std::optional<double> step) {
    for (LinePlot* other : plots_)
      if (other != plot) other->setCursorStep(step);
  });
  connect(plot, &LinePlot::redrawn, this, &PlotStack::alignPlots);
  return *plot;
}

void PlotStack::setTitle(const QString& title) {
  title_ = title;
  setAccessibleName(title);
}

void PlotStack::setZoomX(std::optional<AxisRange> range) {
  for (LinePlot* plot : plots_) plot->setZoomX(range);
}

void PlotStack::setMoment(std::optional<double> step) {
  for (LinePlot* plot : plots_) plot->setMoment(step);
}

void PlotStack::alignPlots() {
  const PlotLook look(style_, style_.palette());
  double room = 0;
  for (const LinePlot* plot : plots_) room = std::max(room, plot->labelRoom(look));
  std::vector<double> heights;
  for (LinePlot* plot : plots_) {
    plot->setLeastLabelRoom(room);
    heights.push_back(plot->height());
  }
  const bool legend = needLegend(look, width(), heights);
  for (LinePlot* plot : plots_) plot->setLegend(legend);
}

bool PlotStack::needLegend(const PlotLook& look, double width,
                           const std::vector<double>& heights) const {
  for (std::size_t i = 0; i < plots_.size(); ++i)
    if (!plots_[i]->hasRoomAtEnds(look, {width, heights[i]})) return true;
  return false;
}

QSizeF PlotStack::figureSize() const { return QSizeF(style_.px(640), style_.px(420)); }

void PlotStack::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  const double total = std::accumulate(shares_.begin(), shares_.end(), 0.0);
  std::vector<double> heights;
  for (const int share : shares_) heights.push_back(area.height() * share / total);
  const bool legend = needLegend(PlotLook(style_, palette), area.width(), heights);
  double top = area.top();
  for (std::size_t i = 0; i < plots_.size(); ++i) {
    const QRectF part(area.left(), top, area.width(), heights[i]);
    plots_[i]->paintFigure(painter, part, palette, legend);
    top += heights[i];
  }
}

DataTable PlotStack::figureData() const {
  std::vector<std::pair<QString, const LineSeries*>> series;
  for (const LinePlot* plot : plots_)
    for (const LineCurve& curve : plot->curves())
      series.emplace_back(plot->figureTitle().isEmpty()
                              ? curve.name
                              : tr("%1: %2").arg(plot->figureTitle(), curve.name),
                          &curve.data);
  return stepTable(series);
}

}  // namespace tfm::ui

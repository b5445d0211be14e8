// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/line_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ui/plots/plot_axes.h"
#include "ui/plots/plot_graph.h"
#include "ui/plots/plot_legend.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

/// QCustomPlot skips NaN.
double drawable(double value) {
  return std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
}

/// A line from the top of the axes to their bottom, on the overlay.
QCPItemLine* verticalLine(QCustomPlot& plot) {
  auto* line = new QCPItemLine(&plot);
  line->setLayer(QStringLiteral("overlay"));
  for (QCPItemPosition* end : {line->start, line->end}) {
    end->setTypeX(QCPItemPosition::ptPlotCoords);
    end->setTypeY(QCPItemPosition::ptAxisRectRatio);
  }
  line->setVisible(false);
  return line;
}

QCPItemText* overlayText(QCustomPlot& plot) {
  auto* text = new QCPItemText(&plot);
  text->setLayer(QStringLiteral("overlay"));
  text->position->setType(QCPItemPosition::ptAbsolute);
  text->setClipToAxisRect(false);
  text->setVisible(false);
  return text;
}

}  // namespace

void LineCurve::append(double step, double value) {
  const std::size_t before = data.size();
  data.append(step, value);
  if (data.size() != before + 1) return refill();
  line->addData(step, drawable(data.smoothed().back()));
  raw->addData(step, drawable(value));
}

void LineCurve::clear() {
  data.clear();
  refill();
}

void LineCurve::refill() const {
  const auto steps = data.steps();
  const auto fill = [&](QCPGraph& graph, std::span<const double> values) {
    QVector<double> drawn(values.begin(), values.end());
    std::ranges::transform(drawn, drawn.begin(), drawable);
    graph.setData(QVector<double>(steps.begin(), steps.end()), drawn, true);
  };
  fill(*raw, data.values());
  fill(*line, data.smoothed());
}

LinePlot::LinePlot(Style& style, QWidget* parent)
    : Plot(style, parent),
      x_title_(tr("step")),
      zoom_(canvas()),
      cursor_line_(verticalLine(canvas())),
      moment_line_(verticalLine(canvas())),
      cursor_text_(overlayText(canvas())),
      moment_text_(overlayText(canvas())) {
  canvas().addLayer(QStringLiteral("raw"), canvas().layer(QStringLiteral("main")),
                    QCustomPlot::limBelow);
  addPainting("axes", [this](QPainter& painter) { paintWords(painter); });
  freeLegend(canvas());
  canvas().xAxis->setTicker(stepTicker());
  canvas().yAxis->setTicker(valueTicker());
  connectMouse();
}

void LinePlot::setAxisTitles(const QString& x, const QString& y) {
  x_title_ = x;
  y_title_ = y;
  redraw();
}

void LinePlot::setFixedY(std::optional<AxisRange> range) {
  fixed_y_ = range;
  redraw();
}

void LinePlot::setFromZero(bool from_zero) {
  y_from_zero_ = from_zero;
  redraw();
}

void LinePlot::nameStartOfY() {
  names_y_start_ = true;
  redraw();
}

int LinePlot::addSeries(const QString& name, bool smoothed) {
  QCPAxis *x = canvas().xAxis, *y = canvas().yAxis;
  LineCurve curve{.name = name, .smoothed = smoothed};
  if (smoothed) curve.data.setSmoothing(smoothing_);
  // All raw lines are at the bottom, so that no smoothed line is hidden by another curve's noise.
  curve.raw = new PlotGraph(x, y);
  curve.raw->setLayer(QStringLiteral("raw"));
  curve.line = new PlotGraph(x, y);
  curve.line->addToLegend();
  curve.bar = new QCPErrorBars(x, y);
  curve.bar->setDataPlottable(curve.line);
  curve.dot = new QCPItemTracer(&canvas());
  curve.dot->setLayer(QStringLiteral("overlay"));
  curve.dot->setStyle(QCPItemTracer::tsCircle);
  curve.dot->setVisible(false);
  curves_.push_back(std::move(curve));
  // The last added item of a layer is drawn on top: the cursor's text is above all dots.
  for (const char* layer : {"legend", "overlay"}) cursor_text_->setLayer(QLatin1String(layer));
  redraw();
  return int(curves_.size()) - 1;
}

void LinePlot::setSeriesName(int series, const QString& name) {
  curves_.at(std::size_t(series)).name = name;
  redraw();
}

void LinePlot::append(int series, double step, double value) {
  curves_.at(std::size_t(series)).append(step, value);
  redraw();
}

void LinePlot::setInterval(int series, std::optional<AxisRange> interval) {
  curves_.at(std::size_t(series)).interval = interval;
  redraw();
}

void LinePlot::clearPoints() {
  for (LineCurve& curve : curves_) curve.clear();
  redraw();
}

void LinePlot::setFlags(std::vector<PlotFlag> flags) {
  flags_ = std::move(flags);
  layout_.flags.clear();  // they refer to flags by index in the old list
  redraw();
}

void LinePlot::setSmoothing(double weight) {
  smoothing_ = std::clamp(weight, 0.0, 0.99);
  for (LineCurve& curve : curves_) {
    if (!curve.smoothed) continue;
    curve.data.setSmoothing(smoothing_);
    curve.refill();
  }
  redraw();
}

void LinePlot::setLogarithmic(bool logarithmic) {
  if (logarithmic == logarithmic_) return;
  logarithmic_ = logarithmic;
  canvas().yAxis->setTicker(valueTicker(logarithmic));
  // A linear range may extend below zero, which a logarithmic axis cannot show.
  zoom_.set(*canvas().yAxis, std::nullopt);
  redraw();
  emit logarithmicChanged(logarithmic);
}

void LinePlot::follow() { setZoomX(std::nullopt); }

void LinePlot::setZoomX(std::optional<AxisRange> range) {
  if (!range) zoom_.follow();
  zoom_.set(*canvas().xAxis, range);
  redraw();
}

void LinePlot::setCursorStep(std::optional<double> step) {
  if (step == cursor_) return;
  cursor_ = step;
  describe();
  arrange(look());
  redrawLayer("overlay");
}

void LinePlot::setMoment(std::optional<double> step) {
  if (step == moment_) return;
  moment_ = step;
  arrange(look());
  redrawLayer("overlay");
}

void LinePlot::setXLabels(bool shown) {
  x_labels_ = shown;
  redraw();
}

void LinePlot::setLeastLabelRoom(double pixels) {
  if (pixels == least_label_room_) return;
  least_label_room_ = pixels;
  redraw();
}

void LinePlot::setLegend(bool legend) {
  if (legend == legend_) return;
  legend_ = legend;
  redraw();
}

AxisRange LinePlot::shownX() const {
  const QCPRange& range = canvas().xAxis->range();
  return {range.lower, range.upper};
}

AxisRange LinePlot::shownY() const {
  const QCPRange& range = canvas().yAxis->range();
  return {range.lower, range.upper};
}

QRectF LinePlot::axes() const { return canvas().axisRect()->rect(); }

QSizeF LinePlot::figureSize() const { return QSizeF(style_.px(640), style_.px(320)); }

QSize LinePlot::minimumSizeHint() const { return {style_.px(180), style_.px(120)}; }

void LinePlot::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette,
                           bool legend) const {
  const bool on_screen = std::exchange(legend_, legend);
  Plot::paintFigure(painter, area, palette);
  legend_ = on_screen;
}

DataTable LinePlot::figureData() const {
  std::vector<std::pair<QString, const LineSeries*>> series;
  for (const LineCurve& curve : curves_) series.emplace_back(curve.name, &curve.data);
  return stepTable(series);
}

}  // namespace tfm::ui

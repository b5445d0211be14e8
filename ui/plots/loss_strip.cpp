// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/loss_strip.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <functional>

#include "ui/figure/number_text.h"
#include "ui/plots/plot_axes.h"
#include "ui/plots/plot_frame.h"
#include "ui/plots/plot_graph.h"
#include "ui/style/style.h"

namespace tfm::ui {

LossStrip::LossStrip(Style& style, QWidget* parent) : Plot(style, parent) {
  // The line is averaged per pixel column anyway; this smooths short runs.
  curve_.data.setSmoothing(0.6);
  setTitle(tr("Loss over all steps"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  QCustomPlot& plot = canvas();
  for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) axis->setVisible(false);
  plot.setAttribute(Qt::WA_OpaquePaintEvent, false);
  addPainting("background", [this](QPainter& painter) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(look().palette.raised);
    painter.drawRoundedRect(canvas().viewport(), 7 * look().unit, 7 * look().unit);
  });
  curve_.raw = new PlotGraph(plot.xAxis, plot.yAxis);
  curve_.line = new PlotGraph(plot.xAxis, plot.yAxis);
  curve_.line->setAveraged(true);
  addPainting("axes", [this](QPainter& painter) { paintNote(painter); });
  addPainting("legend", [this](QPainter& painter) { paintMarkers(painter); });
  dot_ = new QCPItemTracer(&plot);
  dot_->setLayer(QStringLiteral("legend"));
  dot_->setStyle(QCPItemTracer::tsCircle);
  dot_->setClipToAxisRect(false);  // during training it is at the end
  addPainting("overlay", [this](QPainter& painter) {
    if (hovered_)
      paintMarker(painter, *hovered_, QPen(look().palette.muted, look().unit, Qt::DotLine),
                  hoverText(), axes().right());
  });
  connectMouse();
  connect(this, &Plot::redrawn, this, &LossStrip::describe);
}

void LossStrip::append(double step, double loss) {
  curve_.append(step, loss);
  redraw();
}

void LossStrip::clearPoints() {
  curve_.clear();
  hovered_.reset();
  redraw();
}

void LossStrip::showMarkers() {
  if (isVisible()) canvas().replot(QCustomPlot::rpQueuedReplot);
}

void LossStrip::setCurrentStep(std::optional<double> step) {
  if (step == current_) return;
  current_ = step;
  describe();
  showMarkers();
}

void LossStrip::setPins(std::vector<PlotFlag> pins) {
  pins_ = std::move(pins);
  showMarkers();
}

void LossStrip::setMoments(std::vector<double> steps) {
  moments_ = std::move(steps);
  showMarkers();
}

void LossStrip::setFlags(std::vector<PlotFlag> flags) {
  flags_ = std::move(flags);
  showMarkers();
}

void LossStrip::setLogarithmic(bool logarithmic) {
  if (logarithmic == logarithmic_) return;
  logarithmic_ = logarithmic;
  redraw();
  emit logarithmicChanged(logarithmic);
}

QSizeF LossStrip::figureSize() const { return QSizeF(style_.px(640), style_.px(60)); }

QSize LossStrip::minimumSizeHint() const { return {style_.px(100), style_.px(44)}; }

DataTable LossStrip::figureData() const {
  return stepTable({{QStringLiteral("loss"), &curve_.data}});
}

void LossStrip::prepare(const PlotLook& look, const QSizeF&) const {
  QCustomPlot& plot = canvas();
  const double unit = look.unit;
  // On the right, a pennant at the end has its room.
  plot.axisRect()->setMargins({int(6 * unit), int(4 * unit), int(8 * unit), int(4 * unit)});
  plot.setBackground(Qt::NoBrush);
  tfm::ui::setLogarithmic(*plot.yAxis, logarithmic_);
  setRange(*plot.xAxis, stepsOf({&curve_, 1}));
  const auto losses = valuesOf({curve_.raw}, logarithmic_);
  setRange(*plot.yAxis,
           losses ? padded(losses->low, losses->high, logarithmic_) : emptyRange(logarithmic_));
  curve_.raw->setPen(QPen(look.faded(look.palette.series[0], 0.4), unit));
  QPen line(look.palette.series[0], 1.8 * unit);
  line.setJoinStyle(Qt::RoundJoin);
  curve_.line->setPen(line);
  const auto at = currentIndex();
  dot_->setVisible(at.has_value());
  if (at) dot_->setGraph(curve_.line);
  if (at) dot_->setGraphKey(curve_.data.steps()[*at]);
  dot_->setSize(8 * unit);
  dot_->setPen(Qt::NoPen);
  dot_->setBrush(look.palette.text);
}

void LossStrip::describe() {
  const auto at = currentIndex();
  setAccessibleDescription(
      at ? tr("loss %1 at step %2")
               .arg(shortNumber(curve_.data.values()[*at]), stepNumber(curve_.data.steps()[*at]))
         : tr("No data yet"));
}

std::optional<std::size_t> LossStrip::currentIndex() const {
  if (curve_.data.empty()) return std::nullopt;
  return current_ ? curve_.data.indexAt(*current_).value_or(0) : curve_.data.size() - 1;
}

void LossStrip::choose(std::size_t index) {
  const double step = curve_.data.steps()[index];
  setCurrentStep(step);
  emit stepClicked(step);
}

std::optional<std::size_t> LossStrip::indexAt(double x) const {
  return curve_.data.nearest(canvas().xAxis->pixelToCoord(x));
}

void LossStrip::connectMouse() {
  connect(&canvas(), &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (const auto at = indexAt(event->position().x())) choose(*at);
  });
  connect(&canvas(), &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
    const auto at = indexAt(event->position().x());
    if (!at) return;
    if (event->buttons() & Qt::LeftButton) {
      if (at != currentIndex()) choose(*at);
      return;
    }
    const double step = curve_.data.steps()[*at];
    if (hovered_ == step) return;
    hovered_ = step;
    redrawLayer("overlay");
  });
}

void LossStrip::leaveEvent(QEvent*) {
  if (!hovered_) return;
  hovered_.reset();
  redrawLayer("overlay");
}

void LossStrip::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_L) return setLogarithmic(!logarithmic_);
  const auto at = currentIndex();
  if (!at) return QWidget::keyPressEvent(event);
  const std::size_t last = curve_.data.size() - 1, leap = std::max<std::size_t>(last / 10, 1);
  switch (event->key()) {
    case Qt::Key_Left:
      if (!moments_.empty()) return emit momentStepped(-1);
      return choose(*at - std::min<std::size_t>(*at, 1));
    case Qt::Key_Right:
      if (!moments_.empty()) return emit momentStepped(1);
      return choose(std::min(*at + 1, last));
    case Qt::Key_PageUp:
      return choose(*at - std::min(*at, leap));
    case Qt::Key_PageDown:
      return choose(std::min(*at + leap, last));
    case Qt::Key_Home:
      return choose(0);
    case Qt::Key_End:
      return choose(last);
    default:
      QWidget::keyPressEvent(event);
  }
}

bool LossStrip::shows(double step) const { return canvas().xAxis->range().contains(step); }

QRectF LossStrip::axes() const { return canvas().axisRect()->rect(); }

void LossStrip::paintNote(QPainter& painter) const {
  painter.setFont(look().text);
  painter.setPen(look().palette.muted);
  painter.drawText(axes(), Qt::AlignCenter,
                   curve_.data.empty() ? tr("The loss will appear here")
                                       : noteOn({&curve_, 1}, stepsOf({&curve_, 1}), logarithmic_));
}

void LossStrip::paintMarkers(QPainter& painter) const {
  paintMoments(painter);
  for (const PlotFlag& flag : flags_)
    if (shows(flag.step))
      paintFlag(painter, {crisp(canvas().xAxis->coordToPixel(flag.step)), axes().top()},
                axes().bottom(), look().palette.*flag.colour, look());
  // From the right: the letters of neighbours stay apart.
  std::vector<PlotFlag> pins = pins_;
  std::ranges::sort(pins, std::greater(), &PlotFlag::step);
  double free = axes().right();
  for (const PlotFlag& pin : pins)
    free = paintMarker(painter, pin.step, look().markerPen(look().palette.mark), pin.text, free);
  if (const auto at = currentIndex())
    paintMarker(painter, curve_.data.steps()[*at], QPen(look().palette.text, 1.6 * look().unit), {},
                axes().right());
}

void LossStrip::paintMoments(QPainter& painter) const {
  painter.setPen(QPen(look().faded(look().palette.text, 0.35), look().unit));
  const double bottom = axes().bottom(), gap = 3 * look().unit;
  double last = -INFINITY;
  for (const double step : moments_) {
    const QCPRange& range = canvas().xAxis->range();
    const double x = crisp(canvas().xAxis->coordToPixel(std::max(step, range.lower)));
    // Adjacent ticks would merge into a bar.
    if (step > range.upper || x - last < gap) continue;
    painter.drawLine(QPointF(x, bottom), QPointF(x, bottom - 4 * look().unit));
    last = x;
  }
}

double LossStrip::paintMarker(QPainter& painter, double step, const QPen& pen, const QString& text,
                              double free) const {
  if (!shows(step)) return free;
  const QRectF axes = this->axes();
  const double x = crisp(canvas().xAxis->coordToPixel(step)), gap = 6 * look().unit;
  painter.setPen(pen);
  painter.drawLine(QPointF(x, axes.top()), QPointF(x, axes.bottom()));
  if (text.isEmpty()) return free;
  const QFontMetricsF metrics(look().number);
  QRectF box(x + gap, axes.top(), metrics.horizontalAdvance(text), metrics.height());
  if (box.right() > free) box.moveRight(std::min(x, free) - gap);
  const auto at = curve_.data.nearest(step);
  if (at && canvas().yAxis->coordToPixel(curve_.data.smoothed()[*at]) < axes.center().y())
    box.moveBottom(axes.bottom());
  // Above the curve, flags and pins, so that the text stays readable.
  QColor ground = look().palette.raised;
  ground.setAlphaF(0.85F);
  painter.fillRect(box.adjusted(-2 * look().unit, 0, 2 * look().unit, 0), ground);
  painter.setFont(look().number);
  painter.drawText(box.adjusted(0, 0, 2, 0), Qt::AlignVCenter, text);
  return std::min(x, box.left());
}

QString LossStrip::hoverText() const {
  const QCPAxis& axis = *canvas().xAxis;
  const double reach = 5 * look().unit, x = axis.coordToPixel(*hovered_);
  const QString step = tr("step %1").arg(stepNumber(*hovered_));
  for (const PlotFlag& flag : flags_)
    if (std::abs(axis.coordToPixel(flag.step) - x) <= reach && !flag.text.isEmpty())
      return tr("%1: %2", "a step and what was done at it").arg(step, flag.text);
  return step;
}

}  // namespace tfm::ui

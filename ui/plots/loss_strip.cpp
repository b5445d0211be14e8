// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/loss_strip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "ui/figure/number_text.h"
#include "ui/plots/plot_look.h"
#include "ui/style/style.h"

namespace tfm::ui {

LossStrip::LossStrip(Style& style, QWidget* parent)
    : QWidget(parent), style_(style), redraw_(*this, [this] { redraw(); }) {
  // The line is averaged to the screen's columns anyway; this takes the jitter out of short runs.
  loss_.setSmoothing(0.6);
  setAccessibleName(figureTitle());
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(&style_, &Style::changed, this, [this] {
    updateGeometry();
    redraw_.request();
  });
}

void LossStrip::append(double step, double loss) {
  loss_.append(step, loss);
  redraw_.request();
}

void LossStrip::clearPoints() {
  loss_.clear();
  hovered_.reset();
  redraw_.request();
}

void LossStrip::setCurrentStep(std::optional<double> step) {
  if (step == current_) return;
  current_ = step;
  describe();
  update();
}

void LossStrip::setPinnedStep(std::optional<double> step) {
  setPins(step ? std::vector{PlotFlag{*step, tr("step %1").arg(stepNumber(*step))}}
               : std::vector<PlotFlag>());
}

void LossStrip::setPins(std::vector<PlotFlag> pins) {
  pins_ = std::move(pins);
  update();
}

void LossStrip::setMoments(std::vector<double> steps) {
  moments_ = std::move(steps);
  update();
}

void LossStrip::setFlags(std::vector<PlotFlag> flags) {
  flags_ = std::move(flags);
  update();
}

void LossStrip::setLogarithmic(bool logarithmic) {
  if (logarithmic == logarithmic_) return;
  logarithmic_ = logarithmic;
  redraw_.request();
  emit logarithmicChanged(logarithmic);
}

QSizeF LossStrip::figureSize() const { return QSizeF(style_.px(640), style_.px(60)); }

QSize LossStrip::minimumSizeHint() const { return {style_.px(160), style_.px(60)}; }

void LossStrip::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  const PlotLook look(style_, palette);
  painter.save();
  paintMarkers(painter, paintCurve(painter, area, look), look);
  painter.restore();
}

DataTable LossStrip::figureData() const {
  DataTable table;
  table.columns << QStringLiteral("step") << QStringLiteral("loss");
  for (std::size_t i = 0; i < loss_.size(); ++i)
    table.rows.push_back({fullPrecision(loss_.steps()[i]), fullPrecision(loss_.values()[i])});
  return table;
}

void LossStrip::redraw() {
  if (size().isEmpty()) return;  // there is nothing to draw on
  curve_ = QPixmap(size() * devicePixelRatioF());
  curve_.setDevicePixelRatio(devicePixelRatioF());
  curve_.fill(Qt::transparent);
  QPainter painter(&curve_);
  frame_ = paintCurve(painter, rect(), PlotLook(style_, style_.palette()));
  describe();
  update();
}

void LossStrip::describe() {
  const auto at = currentIndex();
  setAccessibleDescription(
      at ? tr("loss %1 at step %2")
               .arg(shortNumber(loss_.values()[*at]), stepNumber(loss_.steps()[*at]))
         : tr("No data yet"));
}

std::optional<std::size_t> LossStrip::currentIndex() const {
  if (loss_.empty()) return std::nullopt;
  return current_ ? loss_.indexAt(*current_).value_or(0) : loss_.size() - 1;
}

void LossStrip::choose(std::size_t index) {
  const double step = loss_.steps()[index];
  setCurrentStep(step);
  emit stepClicked(step);
}

void LossStrip::resizeEvent(QResizeEvent*) {
  if (isVisible()) redraw();
}

void LossStrip::showEvent(QShowEvent*) { redraw(); }

void LossStrip::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  if (const auto at = loss_.nearest(frame_.pixelToX(event->position().x()))) choose(*at);
}

void LossStrip::mouseMoveEvent(QMouseEvent* event) {
  const auto at = loss_.nearest(frame_.pixelToX(event->position().x()));
  if (!at) return;
  if (event->buttons() & Qt::LeftButton) {
    if (at != currentIndex()) choose(*at);
    return;
  }
  const double step = loss_.steps()[*at];
  if (hovered_ == step) return;
  hovered_ = step;
  update();
  emit stepHovered(step);
}

void LossStrip::leaveEvent(QEvent*) {
  if (!hovered_) return;
  hovered_.reset();
  update();
  emit hoverEnded();
}

void LossStrip::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_L) return setLogarithmic(!logarithmic_);
  const auto at = currentIndex();
  if (!at) return QWidget::keyPressEvent(event);
  const std::size_t last = loss_.size() - 1, leap = std::max<std::size_t>(last / 10, 1);
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

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/line_plot.h"

#include <QHelpEvent>
#include <QPainter>
#include <QRubberBand>
#include <QToolTip>
#include <algorithm>
#include <map>

#include "core/base/check.h"
#include "ui/plots/line_canvas.h"
#include "ui/plots/line_cursor.h"
#include "ui/plots/line_painter.h"
#include "ui/style/style.h"

namespace tfm::ui {

LinePlot::LinePlot(Style& style, QWidget* parent)
    : QWidget(parent),
      style_(style),
      canvas_(std::make_unique<LineCanvas>()),
      redraw_(*this, [this] { redraw(); }),
      band_(new QRubberBand(QRubberBand::Rectangle, this)) {
  scene_.x_title = tr("step");
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  connect(&style_, &Style::changed, this, [this] {
    updateGeometry();
    redraw_.request();
  });
}

LinePlot::~LinePlot() = default;

void LinePlot::setTitle(const QString& title) {
  title_ = title;
  setAccessibleName(title);
}

void LinePlot::setAxisTitles(const QString& x, const QString& y) {
  scene_.x_title = x;
  scene_.y_title = y;
  redraw_.request();
}

void LinePlot::setFixedY(std::optional<AxisRange> range) {
  scene_.fixed_y = range;
  redraw_.request();
}

void LinePlot::setFromZero(bool from_zero) {
  scene_.y_from_zero = from_zero;
  redraw_.request();
}

void LinePlot::nameStartOfY() {
  scene_.names_y_start = true;
  redraw_.request();
}

int LinePlot::addSeries(const QString& name, bool smoothed) {
  scene_.curves.push_back({name, {}, smoothed});
  if (smoothed) scene_.curves.back().data.setSmoothing(smoothing_);
  redraw_.request();
  return static_cast<int>(scene_.curves.size()) - 1;
}

void LinePlot::setSeriesName(int series, const QString& name) {
  check(series >= 0 && series < static_cast<int>(scene_.curves.size()), "LinePlot: known series");
  scene_.curves[static_cast<std::size_t>(series)].name = name;
  redraw_.request();
}

void LinePlot::append(int series, double step, double value) {
  check(series >= 0 && series < static_cast<int>(scene_.curves.size()), "LinePlot: known series");
  scene_.curves[static_cast<std::size_t>(series)].data.append(step, value);
  redraw_.request();
}

void LinePlot::setInterval(int series, std::optional<AxisRange> interval) {
  check(series >= 0 && series < static_cast<int>(scene_.curves.size()), "LinePlot: known series");
  scene_.curves[static_cast<std::size_t>(series)].interval = interval;
  redraw_.request();
}

void LinePlot::clearPoints() {
  for (LineCurve& curve : scene_.curves) curve.data.clear();
  redraw_.request();
}

void LinePlot::setFlags(std::vector<PlotFlag> flags) {
  scene_.flags = std::move(flags);
  layout_.flags.clear();  // they name flags by their place in the list that is gone
  redraw_.request();
}

void LinePlot::setSmoothing(double weight) {
  smoothing_ = std::clamp(weight, 0.0, 0.99);
  for (LineCurve& curve : scene_.curves)
    if (curve.smoothed) curve.data.setSmoothing(smoothing_);
  redraw_.request();
}

void LinePlot::setLogarithmic(bool logarithmic) {
  if (logarithmic == scene_.logarithmic) return;
  scene_.logarithmic = logarithmic;
  // A linear range may reach below zero, where a logarithmic axis has no place.
  scene_.zoom_y.reset();
  redraw_.request();
  emit logarithmicChanged(logarithmic);
}

void LinePlot::follow() {
  scene_.zoom_x.reset();
  scene_.zoom_y.reset();
  redraw_.request();
}

void LinePlot::setZoomX(std::optional<AxisRange> range) {
  scene_.zoom_x = range;
  if (!range) scene_.zoom_y.reset();
  redraw_.request();
}

void LinePlot::setCursorStep(std::optional<double> step) {
  if (step == cursor_) return;
  cursor_ = step;
  describe();
  update();
}

void LinePlot::setMoment(std::optional<double> step) {
  if (step == moment_) return;
  moment_ = step;
  update();
}

void LinePlot::setXLabels(bool shown) {
  scene_.x_labels = shown;
  redraw_.request();
}

void LinePlot::setLeastLabelRoom(double pixels) {
  if (pixels == scene_.least_label_room) return;
  scene_.least_label_room = pixels;
  redraw_.request();
}

void LinePlot::setLegend(bool legend) {
  if (legend == legend_) return;
  legend_ = legend;
  redraw_.request();
}

QSizeF LinePlot::figureSize() const { return QSizeF(style_.px(640), style_.px(320)); }

void LinePlot::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  paintFigure(painter, area, palette, false);
}

void LinePlot::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette,
                           bool legend) const {
  const PlotLook look(style_, palette);
  const QSize size = area.size().toSize();
  const LineLayout layout = layoutLines(scene_, look, size, legend);
  painter.save();
  painter.translate(area.topLeft());
  LineCanvas().paint(painter, scene_, layout, look, size);
  paintLabels(painter, scene_, layout, look, size);
  painter.restore();
}

DataTable LinePlot::figureData() const {
  DataTable table;
  table.columns << QStringLiteral("step");
  for (const LineCurve& curve : scene_.curves) table.columns << curve.name;
  std::map<double, std::size_t> row_of;
  for (std::size_t i = 0; i < scene_.curves.size(); ++i) {
    const LineSeries& data = scene_.curves[i].data;
    for (std::size_t point = 0; point < data.size(); ++point)
      row_of.emplace(data.steps()[point], 0);
  }
  for (auto& [step, row] : row_of) {
    row = table.rows.size();
    QStringList cells(table.columns.size());
    cells[0] = fullPrecision(step);
    table.rows.push_back(std::move(cells));
  }
  for (std::size_t i = 0; i < scene_.curves.size(); ++i) {
    const LineSeries& data = scene_.curves[i].data;
    for (std::size_t point = 0; point < data.size(); ++point)
      table.rows[row_of[data.steps()[point]]][static_cast<int>(i) + 1] =
          fullPrecision(data.values()[point]);
  }
  return table;
}

QSize LinePlot::sizeHint() const { return figureSize().toSize(); }

QSize LinePlot::minimumSizeHint() const { return {style_.px(180), style_.px(120)}; }

void LinePlot::redraw() {
  const PlotLook look(style_, style_.palette());
  layout_ = layoutLines(scene_, look, size(), legend_);
  curves_ = canvas_->pixmap(scene_, layout_, look, size(), devicePixelRatioF());
  describe();
  update();
  emit redrawn();
}

void LinePlot::describe() {
  const double step = cursor_.value_or(INFINITY);
  setAccessibleDescription(spokenReadings(scene_, readLines(scene_, step)));
}

bool LinePlot::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QStringList texts;
    for (const int flag : flagsAt(help->pos()))
      texts << scene_.flags[static_cast<std::size_t>(flag)].text;
    QToolTip::showText(help->globalPos(), texts.join(QLatin1Char('\n')), this);
    return true;
  }
  return QWidget::event(event);
}

void LinePlot::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const PlotLook look(style_, style_.palette());
  painter.fillRect(rect(), look.palette.panel);
  if (curves_.isNull()) return;
  painter.drawPixmap(0, 0, curves_);
  paintLabels(painter, scene_, layout_, look, size());
  if (moment_) paintMoment(painter, layout_, look, *moment_);
  if (cursor_) paintCursor(painter, scene_, layout_, look, *cursor_);
  if (!focus_shown_) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(look.palette.accent, style_.px(1)));
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), style_.px(7), style_.px(7));
}

void LinePlot::resizeEvent(QResizeEvent*) {
  // A stale picture of another size would be stretched or cut for a moment: draw at once.
  if (isVisible()) redraw();
}

void LinePlot::showEvent(QShowEvent*) { redraw(); }

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/drawing_plot.h"

#include <qcustomplot.h>

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/figure/number_text.h"
#include "ui/plots/painted_item.h"
#include "ui/plots/plot_axes.h"
#include "ui/plots/plot_frame.h"
#include "ui/plots/plot_legend.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

// Lengths at scale 1.
constexpr double kWordRow = 20, kNumberRow = 20, kNumberColumn = 64, kDrawingEnd = 24;
constexpr double kPoint = 5;
constexpr std::size_t kFewPoints = 60;  // more marks would hide their line

QString textFrom(const std::string& text) { return QString::fromStdString(text); }

QStringList textsFrom(const std::vector<std::string>& texts) {
  QStringList list;
  for (const std::string& text : texts) list << textFrom(text);
  return list;
}

double widest(const QStringList& texts, const QFont& font) {
  double width = 0;
  for (const QString& text : texts)
    width = std::max(width, QFontMetricsF(font).horizontalAdvance(text));
  return width;
}

/// Names at 0, 1, 2 ..., of which as many are written as have room, if each needs so much of it.
QSharedPointer<QCPAxisTicker> nameTicker(const QStringList& names, double needed, double slot) {
  auto* ticker = new QCPAxisTickerText;
  const int every = std::max(1, int(std::ceil(needed / std::max(slot, 1.0))));
  for (int i = 0; i < names.size(); i += every) ticker->addTick(i, names[i]);
  return QSharedPointer<QCPAxisTicker>(ticker);
}

}  // namespace

DrawingPlot::DrawingPlot(Style& style, QWidget* parent) : PointPlot(style, parent) {
  zoom().add(*canvas().axisRect());
  freeLegend(canvas());
  addPaintedItem(canvas(), "main", [this](QPainter& painter) { paintBelow(painter); });
  addPaintedItem(canvas(), "axes", [this](QPainter& painter) { paintAbove(painter); });
}

QSizeF DrawingPlot::figureSize() const { return QSizeF(style_.px(720), style_.px(380)); }

QSize DrawingPlot::minimumSizeHint() const { return {style_.px(360), style_.px(200)}; }

void DrawingPlot::setDrawing(reproduce::Drawing drawing) {
  drawing_ = std::move(drawing);
  points_.clear();
  for (int s = 0; s < int(drawing_.series.size()); ++s) {
    const reproduce::Series& series = drawing_.series[std::size_t(s)];
    const std::size_t count = is(Kind::Circuit) ? series.labels.size() : series.y.size();
    for (int i = 0; i < int(count); ++i)
      if (is(Kind::Circuit) || std::isfinite(series.y[std::size_t(i)])) points_.push_back({s, i});
  }
  for (QCPAbstractPlottable* curve : curves_) canvas().removePlottable(curve);
  curves_.clear();
  QCPAxisRect& axes = *canvas().axisRect();
  QCPAxis *keys = axes.axis(QCPAxis::atBottom), *values = axes.axis(QCPAxis::atLeft);
  for (const reproduce::Series& series : drawing_.series) {
    if (is(Kind::Lines)) {
      QCPGraph* line = addGraph(*keys, *values);
      for (std::size_t i = 0; i < series.y.size(); ++i)
        if (std::isfinite(series.y[i])) line->addData(series.x[i], series.y[i]);
      curves_.push_back(line);
    } else if (is(Kind::Bars)) {
      curves_.push_back(new QCPBars(keys, values));
    } else {
      break;
    }
    curves_.back()->setName(textFrom(series.name));
    if (series.labels.empty()) curves_.back()->addToLegend();  // else the points say it
  }
  tfm::ui::setLogarithmic(*values, drawing_.logarithmic);
  values->setRangeReversed(is(Kind::Cells));
  zoom().follow();
  pointsChanged(-1, -1);
}

double DrawingPlot::valueOf(const Point& point) const {
  const reproduce::Series& series = drawing_.series[std::size_t(point.series)];
  return std::size_t(point.index) < series.y.size() ? series.y[std::size_t(point.index)] : 0.0;
}

std::pair<double, double> DrawingPlot::valueRange() const {
  if (is(Kind::Cells)) return {-0.5, double(drawing_.series.size()) - 0.5};
  double low = HUGE_VAL, high = -HUGE_VAL;
  const auto take = [&](double value) {
    if (drawing_.logarithmic && value <= 0.0) return;
    low = std::min(low, value);
    high = std::max(high, value);
  };
  for (const Point& point : points_) take(valueOf(point));
  for (const auto& level : drawing_.levels) take(level.y);
  if (low > high) return {drawing_.logarithmic ? 0.1 : 0.0, 1.0};
  if (drawing_.logarithmic) return {low / 3, high * 3};
  const AxisRange all = padded(is(Kind::Bars) ? std::min(low, 0.0) : low, high);
  return {is(Kind::Bars) && low >= 0.0 ? 0.0 : all.low, all.high};
}

std::pair<double, double> DrawingPlot::keyRange() const {
  const double for_levels = is(Kind::Bars) && !drawing_.levels.empty() ? 1.0 : 0.0;  // their names
  if (!is(Kind::Lines))
    return {-0.5, std::max(double(drawing_.names.size()), 1.0) - 0.5 + for_levels};
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const reproduce::Series& series : drawing_.series)
    for (const double x : series.x) {
      low = std::min(low, x);
      high = std::max(high, x);
    }
  if (low > high) return {0.0, 1.0};
  const bool labelled = !drawing_.series.front().labels.empty();
  const double air = (labelled ? 0.12 : 0.02) * (high > low ? high - low : 1.0);
  return {low - air, high + air};
}

bool DrawingPlot::areWhole(reproduce::Numbers reproduce::Series::*numbers) const {
  return std::ranges::all_of(drawing_.series, [&](const reproduce::Series& series) {
    return std::ranges::all_of(series.*numbers, [](double x) { return x == std::round(x); });
  });
}

void DrawingPlot::prepareNames(const PlotLook& look, const QSizeF& area) const {
  QCPAxisRect& axes = *canvas().axisRect();
  QCPAxis &keys = *axes.axis(QCPAxis::atBottom), &values = *axes.axis(QCPAxis::atLeft);
  const QStringList names = textsFrom(drawing_.names);
  const auto slot = [](double length, double count) { return length / std::max(count, 1.0); };
  if (is(Kind::Bars) || is(Kind::Cells) || !names.empty())
    keys.setTicker(nameTicker(names, widest(names, look.number) + 6,
                              slot(area.width(), keyRange().second - keyRange().first)));
  else
    keys.setTicker(areWhole(&reproduce::Series::x) ? stepTicker() : valueTicker());
  if (!is(Kind::Lines)) keys.setTickLengthOut(0);
  if (is(Kind::Cells)) {
    QStringList rows;
    for (const reproduce::Series& series : drawing_.series) rows << textFrom(series.name);
    values.setTicker(nameTicker(rows, QFontMetricsF(look.number).height(),
                                slot(area.height(), double(rows.size()))));
    values.grid()->setVisible(false);
  } else {
    values.setTicker(areWhole(&reproduce::Series::y) && !drawing_.logarithmic
                         ? stepTicker()
                         : valueTicker(drawing_.logarithmic));
    values.grid()->setVisible(true);
  }
}

void DrawingPlot::prepare(const PlotLook& look, const QSizeF& size) const {
  const auto px = [&](double length) { return int(std::ceil(length * look.unit)); };
  QCPAxisRect& axes = *canvas().axisRect();
  QCPAxis &keys = *axes.axis(QCPAxis::atBottom), &values = *axes.axis(QCPAxis::atLeft);
  dressAxes(axes, look);
  double left = px(kNumberColumn);
  if (is(Kind::Cells)) {
    QStringList rows;
    for (const reproduce::Series& series : drawing_.series) rows << textFrom(series.name);
    left = std::min(widest(rows, look.number) + px(14), 0.45 * size.width());
  }
  QCPLegend& legend = *canvas().legend;
  dressLegend(legend, look);
  wrapLegend(legend, size.width());
  legend.setVisible(legend.itemCount() > 0);
  const int head =
      (legend.visible() ? legend.minimumOuterSizeHint().height() : 0) + px(kWordRow) + px(6);
  const int foot = px(kNumberRow + kWordRow);
  axes.setMargins({int(left), head, px(kDrawingEnd), foot});
  prepareNames(look, {size.width() - left - px(kDrawingEnd), size.height() - head - foot});
  const auto [low, high] = valueRange();
  const auto [first, last] = keyRange();
  setRange(values, zoom().of(values).value_or(AxisRange{low, high}));
  setRange(keys, zoom().of(keys).value_or(AxisRange{first, last}));
  const bool bare = is(Kind::Circuit) || drawing_.series.empty();
  for (QCPAxis* axis : {&keys, &values}) {
    axis->setTickLabels(!bare);
    axis->setTicks(!bare);
    if (bare) axis->grid()->setVisible(false);
  }
  if (is(Kind::Lines)) {
    keys.ticker()->setTickCount(std::clamp(int(size.width()) / px(90), 2, 8));
    values.ticker()->setTickCount(std::clamp(int(size.height()) / px(50), 2, 7));
  }
  for (std::size_t i = 0; i < curves_.size(); ++i) {
    const QPen pen = look.seriesPen(int(i));
    curves_[i]->setPen(is(Kind::Bars) ? QPen(Qt::NoPen) : pen);
    curves_[i]->setBrush(is(Kind::Bars) ? QBrush(pen.color()) : QBrush(Qt::NoBrush));
    if (auto* line = qobject_cast<QCPGraph*>(curves_[i]))
      line->setScatterStyle(std::size_t(line->dataCount()) <= kFewPoints
                                ? seriesMark(int(i), QPen(pen.color()), kPoint * look.unit)
                                : QCPScatterStyle());
  }
}

void DrawingPlot::arrange(const PlotLook& look) const {
  PointPlot::arrange(look);
  placeLegend(*canvas().legend, {8 * look.unit, 2 * look.unit});
}

QRectF DrawingPlot::areaOf(const Point& point) const {
  const QCPAxisRect& axes = *canvas().axisRect();
  const QCPAxis &keys = *axes.axis(QCPAxis::atBottom), &values = *axes.axis(QCPAxis::atLeft);
  if (is(Kind::Cells))
    return QRectF(QPointF(keys.coordToPixel(point.index - 0.5),
                          values.coordToPixel(point.series - 0.5)),
                  QPointF(keys.coordToPixel(point.index + 0.5),
                          values.coordToPixel(point.series + 0.5)))
        .normalized();
  if (is(Kind::Bars)) {
    const double all = 0.8 / double(drawing_.series.size());
    const double from = point.index - 0.4 + all * point.series;
    const double value = valueOf(point);
    const bool at_end = drawing_.logarithmic && value <= 0.0;
    const double foot = drawing_.logarithmic ? values.range().lower : 0.0;
    const double y =
        at_end ? values.coordToPixel(foot) - 2 * look().unit : values.coordToPixel(value);
    return QRectF(QPointF(keys.coordToPixel(from), y),
                  QPointF(keys.coordToPixel(from + all), values.coordToPixel(foot)))
        .normalized();
  }
  if (is(Kind::Circuit)) {
    const QRectF area = axes.rect();
    const auto& series = drawing_.series[std::size_t(point.series)];
    const double row = area.height() / double(drawing_.series.size());
    const double slot = area.width() / double(std::max<std::size_t>(series.labels.size(), 1));
    const double height = std::min(44 * look().unit, 0.3 * row);
    return {area.left() + slot * point.index + 0.08 * slot,
            area.top() + row * (point.series + 0.62) - height / 2, 0.84 * slot, height};
  }
  const QPointF place = placeOf(int(&point - points_.data()));
  return {place, QSizeF(0, 0)};
}

QPointF DrawingPlot::placeOf(int point) const {
  const Point& one = points_[std::size_t(point)];
  if (is(Kind::Lines)) {
    const QCPAxisRect& axes = *canvas().axisRect();
    const reproduce::Series& series = drawing_.series[std::size_t(one.series)];
    return {axes.axis(QCPAxis::atBottom)->coordToPixel(series.x[std::size_t(one.index)]),
            axes.axis(QCPAxis::atLeft)->coordToPixel(series.y[std::size_t(one.index)])};
  }
  const QRectF area = areaOf(one);
  return is(Kind::Bars) ? QPointF(area.center().x(), area.top()) : area.center();
}

int DrawingPlot::pointAt(const QPointF& place) const {
  if (is(Kind::Lines)) return PointPlot::pointAt(place);
  for (int i = 0; i < pointCount(); ++i)
    if (areaOf(points_[std::size_t(i)]).contains(place)) return i;
  return -1;
}

QString DrawingPlot::pointText(int point) const {
  const Point& one = points_[std::size_t(point)];
  const reproduce::Series& series = drawing_.series[std::size_t(one.series)];
  const auto index = std::size_t(one.index);
  if (is(Kind::Circuit))
    return tr("%1: %2").arg(textFrom(series.name), textFrom(series.labels[index]));
  const QString where = is(Kind::Lines)                 ? tickNumber(series.x[index])
                        : index < drawing_.names.size() ? textFrom(drawing_.names[index])
                                                        : QString::number(one.index + 1);
  return tr("%1, %2: %3").arg(textFrom(series.name), where, shortNumber(series.y[index]));
}

DataTable DrawingPlot::figureData() const {
  DataTable table;
  table.columns = {"series", "x", "y", "label"};
  for (const reproduce::Series& series : drawing_.series)
    for (std::size_t i = 0; i < std::max(series.y.size(), series.labels.size()); ++i)
      table.rows.push_back({textFrom(series.name),
                            i < series.x.size() ? fullPrecision(series.x[i]) : QString(),
                            i < series.y.size() ? fullPrecision(series.y[i]) : QString(),
                            i < series.labels.size()    ? textFrom(series.labels[i])
                            : i < drawing_.names.size() ? textFrom(drawing_.names[i])
                                                        : QString()});
  return table;
}

}  // namespace tfm::ui

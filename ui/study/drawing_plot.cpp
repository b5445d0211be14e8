// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/drawing_plot.h"

#include <qcustomplot.h>

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/figure/number_text.h"
#include "ui/plots/plot_axes.h"
#include "ui/plots/plot_legend.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

// Lengths at scale 1.
constexpr double kWordRow = 20, kNumberRow = 20, kNumberColumn = 64, kDrawingEnd = 24;
constexpr double kPoint = 5;
constexpr double kGroup = 0.8;          // of the distance of two groups of bars
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

DrawingPlot::DrawingPlot(Style& style, QWidget* parent)
    : PointPlot(style, parent), bars_(new QCPBarsGroup(&canvas())) {
  bars_->setSpacingType(QCPBarsGroup::stAbsolute);
  zoom().add(*canvas().axisRect());
  freeLegend(canvas());
  addPainting("main", [this](QPainter& painter) {
    if (is(Kind::Cells)) paintCells(painter);
    if (is(Kind::Circuit)) paintCircuit(painter);
  });
  addPainting("axes", [this](QPainter& painter) { paintWords(painter); });
}

QSizeF DrawingPlot::figureSize() const { return QSizeF(style_.px(720), style_.px(380)); }

QSize DrawingPlot::minimumSizeHint() const { return {style_.px(360), style_.px(200)}; }

void DrawingPlot::setDrawing(reproduce::Drawing drawing) {
  drawing_ = std::move(drawing);
  points_.clear();
  canvas().clearPlottables();
  for (int s = 0; s < int(drawing_.series.size()); ++s) {
    const reproduce::Series& series = drawing_.series[std::size_t(s)];
    const std::size_t count = is(Kind::Circuit) ? series.labels.size() : series.y.size();
    for (int i = 0; i < int(count); ++i)
      if (is(Kind::Circuit) || std::isfinite(series.y[std::size_t(i)])) points_.push_back({s, i});
    if (is(Kind::Lines) || is(Kind::Bars)) addCurve(series);
  }
  tfm::ui::setLogarithmic(*canvas().yAxis, drawing_.logarithmic);
  canvas().yAxis->setRangeReversed(is(Kind::Cells));
  canvas().xAxis->setLabel(textFrom(drawing_.x_title));
  zoom().follow();
  pointsChanged(-1, -1);
}

void DrawingPlot::addCurve(const reproduce::Series& series) {
  QCPAxis *keys = canvas().xAxis, *values = canvas().yAxis;
  QCPAbstractPlottable* curve = nullptr;
  if (is(Kind::Lines)) {
    QCPGraph* line = addGraph(*keys, *values);
    for (std::size_t i = 0; i < series.y.size(); ++i)
      if (std::isfinite(series.y[i])) line->addData(series.x[i], series.y[i]);
    curve = line;
  } else {
    QCPBars* bars = addBars(*keys, *values);
    bars->setBarsGroup(bars_);
    bars->setWidth(kGroup / double(drawing_.series.size()));
    for (std::size_t i = 0; i < series.y.size(); ++i)
      if (std::isfinite(series.y[i])) bars->addData(double(i), series.y[i]);
    curve = bars;
  }
  curve->setName(textFrom(series.name));
  if (series.labels.empty()) curve->addToLegend();  // else the points say it
}

AxisRange DrawingPlot::valueRange() const {
  if (is(Kind::Cells)) return {-0.5, double(drawing_.series.size()) - 0.5};
  double low = HUGE_VAL, high = -HUGE_VAL;
  const auto take = [&](double value) {
    if (drawing_.logarithmic && value <= 0.0) return;
    low = std::min(low, value);
    high = std::max(high, value);
  };
  for (const Point& point : points_)
    if (!is(Kind::Circuit)) take(valueOf(point));
  for (const auto& level : drawing_.levels) take(level.y);
  if (low > high) return emptyRange(drawing_.logarithmic);
  if (drawing_.logarithmic) return {low / 3, high * 3};
  const AxisRange all = padded(is(Kind::Bars) ? std::min(low, 0.0) : low, high);
  return {is(Kind::Bars) && low >= 0.0 ? 0.0 : all.low, all.high};
}

AxisRange DrawingPlot::keyRange() const {
  const double for_levels = is(Kind::Bars) && !drawing_.levels.empty() ? 1.0 : 0.0;  // their names
  if (!is(Kind::Lines))
    return {-0.5, std::max(double(drawing_.names.size()), 1.0) - 0.5 + for_levels};
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const reproduce::Series& series : drawing_.series)
    for (const double x : series.x) {
      low = std::min(low, x);
      high = std::max(high, x);
    }
  if (low > high) return {};
  const bool labelled = !drawing_.series.front().labels.empty();
  const double air = (labelled ? 0.12 : 0.02) * (high > low ? high - low : 1.0);
  return {low - air, high + air};
}

bool DrawingPlot::areWhole(reproduce::Numbers reproduce::Series::*numbers) const {
  return std::ranges::all_of(drawing_.series, [&](const reproduce::Series& series) {
    return std::ranges::all_of(series.*numbers, [](double x) { return x == std::round(x); });
  });
}

QStringList DrawingPlot::rowNames() const {
  QStringList names;
  for (const reproduce::Series& series : drawing_.series) names << textFrom(series.name);
  return names;
}

void DrawingPlot::prepareTicks(const PlotLook& look, const QSizeF& area) const {
  QCPAxis &keys = *canvas().xAxis, &values = *canvas().yAxis;
  const QStringList names = textsFrom(drawing_.names);
  if (is(Kind::Lines) && names.empty())
    keys.setTicker(areWhole(&reproduce::Series::x) ? stepTicker() : valueTicker());
  else
    keys.setTicker(
        nameTicker(names, widest(names, look.number) + 6, area.width() / keyRange().span()));
  if (is(Kind::Cells))
    values.setTicker(nameTicker(rowNames(), QFontMetricsF(look.number).height(),
                                area.height() / valueRange().span()));
  else if (areWhole(&reproduce::Series::y) && !drawing_.logarithmic)
    values.setTicker(stepTicker());
  else
    values.setTicker(valueTicker(drawing_.logarithmic));
  if (is(Kind::Lines)) {
    keys.ticker()->setTickCount(std::clamp(int(area.width() / (78 * look.unit)), 2, 8));
    values.ticker()->setTickCount(std::clamp(int(area.height() / (40 * look.unit)), 2, 7));
  } else {
    keys.setTickLengthOut(0);
  }
  const bool bare = is(Kind::Circuit) || drawing_.series.empty();
  for (QCPAxis* axis : {&keys, &values}) {
    axis->setTickLabels(!bare);
    axis->setTicks(!bare);
  }
  values.grid()->setVisible(!bare && !is(Kind::Cells));
}

void DrawingPlot::prepare(const PlotLook& look, const QSizeF& size) const {
  const auto px = [&](double length) { return int(std::ceil(length * look.unit)); };
  QCustomPlot& plot = canvas();
  dressAxes(*plot.axisRect(), look);
  QCPLegend& legend = *plot.legend;
  dressLegend(legend, look);
  wrapLegend(legend, size.width());
  legend.setVisible(legend.itemCount() > 0);
  const int head =
      (legend.visible() ? legend.minimumOuterSizeHint().height() : 0) + px(kWordRow) + px(6);
  const int foot = px(kNumberRow + kWordRow);
  const double left = is(Kind::Cells)
                          ? std::min(widest(rowNames(), look.number) + px(14), 0.45 * size.width())
                          : px(kNumberColumn);
  plot.axisRect()->setMargins({int(left), head, px(kDrawingEnd), foot});
  prepareTicks(look, {size.width() - left - px(kDrawingEnd), size.height() - head - foot});
  setRange(*plot.yAxis, zoom().of(*plot.yAxis).value_or(valueRange()));
  setRange(*plot.xAxis, zoom().of(*plot.xAxis).value_or(keyRange()));
  dressCurves(look);
}

void DrawingPlot::dressCurves(const PlotLook& look) const {
  bars_->setSpacing(2 * look.unit);
  for (int i = 0; i < canvas().plottableCount(); ++i) {
    const QPen pen = look.seriesPen(i);
    auto* line = qobject_cast<QCPGraph*>(canvas().plottable(i));
    canvas().plottable(i)->setPen(line ? pen : QPen(Qt::NoPen));
    canvas().plottable(i)->setBrush(line ? QBrush(Qt::NoBrush) : QBrush(pen.color()));
    if (line)
      line->setScatterStyle(std::size_t(line->dataCount()) <= kFewPoints
                                ? seriesMark(i, QPen(pen.color()), kPoint * look.unit)
                                : QCPScatterStyle());
  }
}

void DrawingPlot::arrange(const PlotLook& look) const {
  PointPlot::arrange(look);
  placeLegend(*canvas().legend, {8 * look.unit, 2 * look.unit});
}

QRectF DrawingPlot::areaOf(const Point& point) const {
  const QCPAxis &keys = *canvas().xAxis, &values = *canvas().yAxis;
  const QRectF axes = canvas().axisRect()->rect();
  if (is(Kind::Bars))
    return barAt(static_cast<const QCPBars&>(*canvas().plottable(point.series)), point.index);
  if (is(Kind::Cells))
    return QRectF(QPointF(keys.coordToPixel(point.index - 0.5),
                          values.coordToPixel(point.series - 0.5)),
                  QPointF(keys.coordToPixel(point.index + 0.5),
                          values.coordToPixel(point.series + 0.5))) &
           axes;
  const double row = axes.height() / double(drawing_.series.size());
  const double slot =
      axes.width() / double(std::max<std::size_t>(seriesOf(point).labels.size(), 1));
  const double height = std::min(44 * look().unit, 0.3 * row);
  return {axes.left() + slot * point.index + 0.08 * slot,
          axes.top() + row * (point.series + 0.62) - height / 2, 0.84 * slot, height};
}

QPointF DrawingPlot::placeOf(int point) const {
  const Point& one = points_[std::size_t(point)];
  if (is(Kind::Lines))
    return {canvas().xAxis->coordToPixel(seriesOf(one).x[std::size_t(one.index)]),
            canvas().yAxis->coordToPixel(valueOf(one))};
  const QRectF area = areaOf(one);
  return is(Kind::Bars) ? QPointF(area.center().x(), area.top()) : area.center();
}

QRectF DrawingPlot::itemRect(int point) const {
  return is(Kind::Lines) ? PointPlot::itemRect(point) : areaOf(points_[std::size_t(point)]);
}

QString DrawingPlot::itemText(int point) const {
  const Point& one = points_[std::size_t(point)];
  const reproduce::Series& series = seriesOf(one);
  const auto index = std::size_t(one.index);
  if (is(Kind::Circuit))
    return tr("%1: %2").arg(textFrom(series.name), textFrom(series.labels[index]));
  const QString where = is(Kind::Lines)                 ? tickNumber(series.x[index])
                        : index < drawing_.names.size() ? textFrom(drawing_.names[index])
                                                        : QString::number(one.index + 1);
  return tr("%1, %2: %3").arg(textFrom(series.name), where, shortNumber(series.y[index]));
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
  for (const Point& point : points_) {
    const double value = valueOf(point);
    const QRectF area = areaOf(point).adjusted(0.5, 0.5, -0.5, -0.5);
    if (area.isEmpty()) continue;
    const QColor fill =
        low < 0 ? signedColor(look().palette, value, limit) : cividis(value / limit);
    painter.fillRect(area, fill);
    const QString text = tickNumber(value);
    if (metrics.horizontalAdvance(text) > area.width() - 2 || metrics.height() > area.height() + 4)
      continue;
    painter.setPen(readableOn(fill));
    painter.drawText(area, Qt::AlignCenter, text);
  }
}

void DrawingPlot::paintCircuit(QPainter& painter) const {
  const double unit = look().unit;
  for (int s = 0; s < int(drawing_.series.size()); ++s) {
    const reproduce::Series& series = drawing_.series[std::size_t(s)];
    const auto box = [&](double index) { return areaOf({s, int(index)}); };
    painter.setPen(QPen(look().palette.accent, 2 * unit));
    for (std::size_t i = 0; i < series.x.size(); ++i) {  // around what a residual sum skips
      const QRectF from = box(series.x[i]), to = box(series.y[i]);
      const double top = from.top() - 0.7 * from.height();
      painter.drawPolyline(QPolygonF{QPointF(from.center().x(), from.top()),
                                     QPointF(from.center().x(), top), QPointF(to.center().x(), top),
                                     QPointF(to.center().x(), to.top())});
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
                       textFrom(series.labels[std::size_t(i)]));
    }
    painter.setFont(look().strong);
    const QRectF first = box(0);
    painter.drawText(QRectF(first.left(), first.top() - 1.9 * first.height(),
                            canvas().viewport().width(), first.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, textFrom(series.name));
  }
}

void DrawingPlot::paintWords(QPainter& painter) const {
  const double unit = look().unit;
  const QRectF axes = canvas().axisRect()->rect();
  if (is(Kind::Bars)) paintNumbers(painter);
  if (is(Kind::Lines)) paintLabels(painter);
  paintLevels(painter);
  painter.setFont(look().text);
  painter.setPen(look().palette.muted);
  painter.drawText(QRectF(4 * unit, axes.top() - (kWordRow + 4) * unit,
                          canvas().viewport().width() - 8 * unit, kWordRow * unit),
                   Qt::AlignVCenter | Qt::AlignLeft, textFrom(drawing_.y_title));
  if (drawing_.series.empty()) painter.drawText(axes, Qt::AlignCenter, tr("No data yet"));
}

void DrawingPlot::paintLevels(QPainter& painter) const {
  const QRectF axes = canvas().axisRect()->rect();
  const QFontMetricsF metrics(look().text);
  QColor behind = look().palette.panel;  // bars may stand there
  behind.setAlphaF(0.8F);
  painter.setFont(look().text);
  for (const auto& level : drawing_.levels) {
    if (!canvas().yAxis->range().contains(level.y)) continue;
    const double y = crisp(canvas().yAxis->coordToPixel(level.y));
    painter.setPen(look().markerPen(look().palette.text));
    painter.drawLine(QPointF(axes.left(), y), QPointF(axes.right(), y));
    QRectF place(0, 0, metrics.horizontalAdvance(textFrom(level.name)) + 4 * look().unit,
                 metrics.height());
    place.moveBottomRight({axes.right() - 2 * look().unit, y - 1});
    painter.fillRect(place, behind);
    painter.setPen(look().palette.text);
    painter.drawText(place, Qt::AlignCenter, textFrom(level.name));
  }
}

void DrawingPlot::paintNumbers(QPainter& painter) const {
  painter.setFont(look().number);
  painter.setPen(look().palette.text);
  const QFontMetricsF metrics(look().number);
  const auto widthOf = [&](const QString& text) { return metrics.horizontalAdvance(text); };
  const auto shortened = [](double value) {
    return std::abs(value) >= 1000 ? tr("%1 k").arg(tickNumber(value / 1000))
                                   : QString::number(value, 'g', 2);
  };
  // Shorter for all: side by side, 3.09 and 3.1 would look like different numbers.
  const bool crowded = std::ranges::any_of(points_, [&](const Point& point) {
    return widthOf(tickNumber(valueOf(point))) > areaOf(point).width();
  });
  std::vector<QRectF> written;
  for (const Point& point : points_) {
    const QRectF bar = areaOf(point);
    const QString full = tickNumber(valueOf(point)), brief = shortened(valueOf(point));
    const QString text = crowded && widthOf(brief) < widthOf(full) ? brief : full;
    QRectF above(0, 0, widthOf(text), metrics.height());
    above.moveCenter({bar.center().x(), bar.top() - metrics.height() / 2});
    // A bar that ends outside has no place for its number, nor has one beside another number.
    const QRectF apart = above.adjusted(-1.5 * look().unit, 0, 1.5 * look().unit, 0);
    if (bar.width() <= 0 || bar.top() <= canvas().axisRect()->top() ||
        above.width() > bar.width() + 8 * look().unit ||
        std::ranges::any_of(written, [&](const QRectF& one) { return one.intersects(apart); }))
      continue;
    written.push_back(above);
    painter.drawText(above, Qt::AlignCenter | Qt::TextDontClip, text);
  }
}

void DrawingPlot::paintLabels(QPainter& painter) const {
  painter.setFont(look().strong);
  painter.setPen(look().palette.text);
  const double width = 80 * look().unit, gap = 8 * look().unit, height = 20 * look().unit;
  for (int i = 0; i < itemCount(); ++i) {
    const Point& point = points_[std::size_t(i)];
    const auto& labels = seriesOf(point).labels;
    if (std::size_t(point.index) >= labels.size()) continue;
    const bool left = point.index == 0;
    const QPointF place = placeOf(i);
    painter.drawText(QRectF(left ? place.x() - width - gap : place.x() + gap,
                            place.y() - height / 2, width, height),
                     (left ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
                     textFrom(labels[std::size_t(point.index)]));
  }
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

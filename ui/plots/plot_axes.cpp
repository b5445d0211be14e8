// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_axes.h"

#include <QSignalBlocker>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "ui/figure/number_text.h"
#include "ui/plots/plot_graph.h"
#include "ui/plots/plot_look.h"

namespace tfm::ui {
namespace {

/// 1, 2 or 5 times a power of ten, so that about `count` of them fill the span.
double tickStep(double span, double count) {
  const double rough = span / std::max(count, 1.0);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double nice : {1.0, 2.0, 5.0})
    if (nice * power >= rough) return nice * power;
  return 10 * power;
}

/// The digits times every `stride`-th power of ten.
std::vector<double> decadeTicks(const AxisRange& range, int stride,
                                std::initializer_list<double> digits) {
  std::vector<double> ticks;
  const double first = std::floor(std::log10(range.low) / stride) * stride;
  for (double power = first; power <= std::log10(range.high); power += stride)
    for (const double digit : digits)
      if (const double tick = digit * std::pow(10.0, power);
          tick >= range.low && tick <= range.high)
        ticks.push_back(tick);
  return ticks;
}

/// Labels formatted like all other numbers on screen.
class ValueTicker : public QCPAxisTicker {
 public:
  ValueTicker(bool logarithmic, double unit) : logarithmic_(logarithmic), unit_(unit) {}

 protected:
  QVector<double> createTickVector(double step, const QCPRange& range) override {
    // QCustomPlot's own ticker has only powers of ten, which gives narrow ranges a single tick.
    if (!logarithmic_) return QCPAxisTicker::createTickVector(step, range);
    const std::vector<double> ticks = logarithmicTicks({range.lower, range.upper}, mTickCount);
    return {ticks.begin(), ticks.end()};
  }
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    return tickNumber(tick / unit_);
  }

 private:
  bool logarithmic_;
  double unit_;
};

class StepTicker : public QCPAxisTicker {
 protected:
  double getTickStep(const QCPRange& range) override {
    // Whole steps only: 2.5 would be labelled 2 or 3.
    return std::max(1.0, std::floor(QCPAxisTicker::getTickStep(range)));
  }
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    return stepNumber(tick);
  }
};

}  // namespace

std::vector<double> linearTicks(const AxisRange& range, double count) {
  std::vector<double> ticks;
  const double step = tickStep(range.span(), count);
  // Multiples, since a running sum would accumulate rounding errors.
  for (double i = std::ceil(range.low / step); i * step <= range.high; ++i)
    ticks.push_back(i * step);
  return ticks;
}

std::vector<double> logarithmicTicks(const AxisRange& range, double count) {
  std::vector<double> ticks = decadeTicks(range, 1, {1.0, 2.0, 5.0});
  // At least five: with fewer, a range may contain a single multiple of 1, 2 or 5.
  if (ticks.size() < 2) return linearTicks(range, std::max(count, 5.0));
  for (int stride = 1; double(ticks.size()) > count; ++stride) {
    std::vector<double> fewer = decadeTicks(range, stride, {1.0});
    if (fewer.size() < 2) break;
    ticks = std::move(fewer);
  }
  return ticks;
}

QCPAxisRect& axesAt(QCustomPlot& plot, int row, int column) {
  if (!plot.plotLayout()->hasElement(row, column))
    plot.plotLayout()->addElement(row, column, new QCPAxisRect(&plot));
  auto& axes = static_cast<QCPAxisRect&>(*plot.plotLayout()->element(row, column));
  axes.setAutoMargins(QCP::msNone);
  axes.setMinimumSize(1, 1);
  return axes;
}

std::optional<AxisRange> valuesOf(const std::vector<const QCPGraph*>& graphs, bool logarithmic,
                                  std::optional<AxisRange> keys) {
  std::optional<AxisRange> all;
  for (const QCPGraph* graph : graphs) {
    bool found = false;
    const QCPRange own = graph->getValueRange(found, logarithmic ? QCP::sdPositive : QCP::sdBoth,
                                              keys ? QCPRange(keys->low, keys->high) : QCPRange());
    if (!found) continue;
    if (!all) all = AxisRange{own.lower, own.upper};
    all = AxisRange{std::min(all->low, own.lower), std::max(all->high, own.upper)};
  }
  return all;
}

AxisRange emptyRange(bool logarithmic) { return logarithmic ? AxisRange{0.1, 1} : AxisRange{}; }

void setRange(QCPAxis& axis, const AxisRange& range) {
  const QSignalBlocker silent(&axis);
  axis.setRange(range.low, range.high);
}

void setLogarithmic(QCPAxis& axis, bool logarithmic) {
  const QSignalBlocker silent(&axis);
  axis.setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
}

void dressAxes(QCPAxisRect& rect, const PlotLook& look) {
  QCPAxis &keys = *rect.axis(QCPAxis::atBottom), &values = *rect.axis(QCPAxis::atLeft);
  for (QCPAxis* axis : {&keys, &values}) {
    axis->setBasePen(Qt::NoPen);
    axis->setTickPen(QPen(look.palette.line, look.unit));
    axis->setTickLabelFont(look.number);
    axis->setTickLabelColor(look.palette.muted);
    axis->setLabelFont(look.text);
    axis->setLabelColor(look.palette.muted);
    axis->setLabelPadding(int(2 * look.unit));
    axis->setSubTicks(false);
    axis->setTickLengthIn(0);
    axis->setNumberFormat(QStringLiteral("g"));
  }
  keys.grid()->setVisible(false);
  keys.setTickLengthOut(int(4 * look.unit));
  keys.setTickLabelPadding(int(3 * look.unit));
  values.setTickLengthOut(0);
  values.setTickLabelPadding(int(6 * look.unit));
  values.grid()->setPen(QPen(look.gridColour(), look.unit));
  values.grid()->setZeroLinePen(Qt::NoPen);
}

QSharedPointer<QCPAxisTicker> valueTicker(bool logarithmic, double unit) {
  return QSharedPointer<QCPAxisTicker>(new ValueTicker(logarithmic, unit));
}

QSharedPointer<QCPAxisTicker> stepTicker() { return QSharedPointer<QCPAxisTicker>(new StepTicker); }

QCPGraph* addGraph(QCPAxis& keys, QCPAxis& values) { return new PlotGraph(&keys, &values); }

QCPBars* addBars(QCPAxis& keys, QCPAxis& values) { return new PlotBars(&keys, &values); }

QRectF barAt(const QCPBars& bars, double key) {
  return static_cast<const PlotBars&>(bars).areaOf(key);
}

QCPScatterStyle seriesMark(int index, const QPen& rim, double size,
                           const std::optional<QColor>& fill) {
  struct Shape {
    QCPScatterStyle::ScatterShape shape;
    double size;  ///< so that all look equally large
  };
  // A disc would be filled with the pen's colour, not the brush's.
  static constexpr Shape kShapes[] = {{QCPScatterStyle::ssCircle, 1},
                                      {QCPScatterStyle::ssSquare, 1},
                                      {QCPScatterStyle::ssTriangle, 1.25},
                                      {QCPScatterStyle::ssDiamond, 1.17},
                                      {QCPScatterStyle::ssTriangleInverted, 1.25}};
  const Shape& shape = kShapes[std::size_t(index) % std::size(kShapes)];
  return {shape.shape, rim, QBrush(fill.value_or(rim.color())), shape.size * size};
}

}  // namespace tfm::ui

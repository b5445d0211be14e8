// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_plots.h"

#include <qcustomplot.h>

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/figure/number_text.h"
#include "ui/plots/plot_axes.h"
#include "ui/plots/plot_flag.h"
#include "ui/plots/plot_frame.h"
#include "ui/plots/plot_legend.h"
#include "ui/study/study_words.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

// Lengths at scale 1.
constexpr double kLegendRow = 26, kTitleRow = 20, kTickRow = 20, kTickColumn = 52, kGap = 10;
constexpr double kDot = 5, kEnd = 22;
constexpr int kFew = 12;  // more points would hide the dashes of a line

}  // namespace

StudyPlots::StudyPlots(Style& style, QWidget* parent) : PointPlot(style, parent) {
  QCustomPlot& plot = canvas();
  for (const Measure measure : {kLoss, kAccuracy}) panes_[measure] = &axesAt(plot, 0, measure);
  freeLegend(plot).setVisible(true);
  addPainting("axes", [this](QPainter& painter) { paintWords(painter); });
  for (QCPAxisRect* pane : panes_) zoom().add(*pane);
  connect(&zoom(), &PlotZoom::changed, this, [this](const QCPAxis* axis) {
    for (const QCPAxisRect* pane : panes_)
      if (axis != nullptr && axis->orientation() == Qt::Horizontal)
        zoom().set(*pane->axis(QCPAxis::atBottom), zoom().of(*axis));
  });
  fill();
}

QSizeF StudyPlots::figureSize() const { return QSizeF(style_.px(760), style_.px(280)); }

QSize StudyPlots::minimumSizeHint() const { return {style_.px(420), style_.px(180)}; }

void StudyPlots::setResult(std::shared_ptr<const train::StudyCurves> result,
                           std::vector<std::int64_t> growths) {
  result_ = std::move(result);
  growths_ = std::move(growths);
  means_.clear();
  arms_ = result_ ? train::armsOf(*result_) : std::vector<std::string>();
  for (const std::string& arm : arms_)
    for (const train::StudySpread& mean : wholeSpreads(*result_, arm)) means_.push_back(mean);
  fill();
}

void StudyPlots::setAgainst(Against against) {
  against_ = against;
  zoom().follow();
  fill();
}

void StudyPlots::setLogarithmic(bool logarithmic) {
  logarithmic_ = logarithmic;
  zoom().follow();
  fill();
}

int StudyPlots::armOf(const std::string& name) const {
  return int(std::ranges::find(arms_, name) - arms_.begin());
}

double StudyPlots::xOf(const train::StudySpread& mean) const {
  train::StudyPoint point;
  point.step = mean.step;
  point.flops = mean.flops_mean;
  point.seconds = mean.seconds_mean;
  point.parameters = mean.parameters;
  return xOf(point);
}

double StudyPlots::xOf(const train::StudyPoint& point) const {
  const double places[] = {double(point.step), point.flops, double(point.parameters),
                           point.seconds};
  return places[int(against_)];
}

double StudyPlots::yOf(Measure measure, const train::StudySpread& mean) const {
  return measure == kLoss ? mean.loss_mean : mean.accuracy_mean;
}

double StudyPlots::deviationOf(Measure measure, const train::StudySpread& mean) const {
  return measure == kLoss ? mean.loss_deviation : mean.accuracy_deviation;
}

double StudyPlots::valueOf(Role role, Measure measure, const train::StudySpread& mean) const {
  const double y = yOf(measure, mean), deviation = deviationOf(measure, mean);
  if (role == Role::High) return y + deviation;
  if (role != Role::Low) return y;
  // A logarithmic axis has no place for a band that reaches below 0.
  return std::max(y - deviation, logarithmic_ && measure == kLoss ? 0.1 * y : 0.0);
}

QString StudyPlots::xTitle() const {
  if (against_ == Against::Steps) return tr("steps");
  if (against_ == Against::Seconds) return tr("seconds of training");
  const QString title = against_ == Against::Operations ? tr("operations") : tr("parameters");
  return xPower() == 0 ? title : tr("%1 / %2").arg(title, powerOfTenText(xPower()));
}

int StudyPlots::xPower() const {
  const bool large = against_ == Against::Operations || against_ == Against::Parameters;
  if (!large || highest_x_ <= 0) return 0;
  return 3 * int(std::floor(std::log10(highest_x_) / 3));
}

void StudyPlots::fill() {
  for (const Curve& curve : curves_) canvas().removeGraph(curve.graph);
  curves_.clear();
  const auto add = [&](Measure measure, int arm, Role role) {
    QCPGraph* graph = addGraph(*panes_[measure]->axis(QCPAxis::atBottom),
                               *panes_[measure]->axis(QCPAxis::atLeft));
    curves_.push_back({graph, arm, role});
    return graph;
  };
  const auto put = [](QCPGraph& graph, double x, double y) {
    if (std::isfinite(y)) graph.addData(x, y);
  };
  const auto goesOn = [](const auto& one, const auto& next) {
    if constexpr (requires { one.seed; })
      if (one.seed != next.seed) return false;
    return one.arm == next.arm;
  };
  /// Whether a measurement is among those that are shown.
  const auto counts = [&](const auto& all, std::size_t i) {
    return against_ != Against::Parameters || i + 1 == all.size() || !goesOn(all[i], all[i + 1]);
  };
  shown_.clear();
  for (std::size_t i = 0; i < means_.size(); ++i)
    if (counts(means_, i)) shown_.push_back(means_[i]);
  highest_x_ = 0;
  for (int arm = 0; arm < int(arms_.size()); ++arm)  // below all lines
    for (const Measure measure : {kLoss, kAccuracy}) {
      QCPGraph *low = add(measure, arm, Role::Low), *high = add(measure, arm, Role::High);
      high->setChannelFillGraph(low);
      for (const train::StudySpread& mean : shown_)
        if (armOf(mean.arm) == arm && mean.runs > 1)
          for (const auto& [graph, role] : {std::pair(low, Role::Low), std::pair(high, Role::High)})
            put(against_ == Against::Parameters ? *low : *graph, xOf(mean),
                valueOf(role, measure, mean));
    }
  for (const Measure measure : {kLoss, kAccuracy}) {
    QCPGraph* graph = nullptr;
    for (std::size_t i = 0; result_ && i < result_->points.size(); ++i) {
      const train::StudyPoint& point = result_->points[i];
      if (i == 0 || !goesOn(result_->points[i - 1], point))
        graph = add(measure, armOf(point.arm), Role::Seed);
      if (counts(result_->points, i))
        put(*graph, xOf(point), measure == kLoss ? point.loss : point.accuracy);
      highest_x_ = std::max(highest_x_, xOf(point));
    }
  }
  for (int arm = 0; arm < int(arms_.size()); ++arm)
    for (const Measure measure : {kLoss, kAccuracy}) {
      QCPGraph* graph = add(measure, arm, Role::Mean);
      graph->setName(armText(arms_[std::size_t(arm)]));
      if (measure == kLoss) graph->addToLegend();  // both have the same look
      for (const train::StudySpread& mean : shown_)
        if (armOf(mean.arm) == arm) put(*graph, xOf(mean), yOf(measure, mean));
    }
  tfm::ui::setLogarithmic(*panes_[kLoss]->axis(QCPAxis::atLeft), logarithmic_);
  for (QCPAxisRect* pane : panes_) {
    QCPAxis &keys = *pane->axis(QCPAxis::atBottom), &values = *pane->axis(QCPAxis::atLeft);
    keys.setTicker(valueTicker(false, std::pow(10.0, xPower())));
    keys.setLabel(xTitle());
    values.setTicker(valueTicker(values.scaleType() == QCPAxis::stLogarithmic));
  }
  pointsChanged(hoveredItem(), lockedItem());
}

void StudyPlots::showAll() const {
  std::vector<const QCPGraph*> graphs;
  for (const Curve& curve : curves_)
    if (curve.graph->keyAxis()->axisRect() == panes_[kLoss]) graphs.push_back(curve.graph);
  AxisRange losses = logarithmic_ ? AxisRange{0.01, 1} : AxisRange{};
  if (const auto all = valuesOf(graphs, logarithmic_))
    losses = padded(logarithmic_ ? all->low : 0, all->high, logarithmic_);
  const auto show = [this](QCPAxis& axis, const AxisRange& all) {
    setRange(axis, zoom().of(axis).value_or(all));
  };
  show(*panes_[kLoss]->axis(QCPAxis::atLeft), losses);
  show(*panes_[kAccuracy]->axis(QCPAxis::atLeft), padded(0, 1));
  for (QCPAxisRect* pane : panes_)
    show(*pane->axis(QCPAxis::atBottom), {0, highest_x_ > 0 ? 1.01 * highest_x_ : 1});
}

void StudyPlots::prepare(const PlotLook& look, const QSizeF& size) const {
  const auto px = [&](double length) { return int(length * look.unit); };
  showAll();
  canvas().plotLayout()->setColumnSpacing(px(kGap));
  dressLegend(*canvas().legend, look);
  const int rows = std::max(1, wrapLegend(*canvas().legend, size.width() - px(kGap)));
  for (QCPAxisRect* pane : panes_) {
    dressAxes(*pane, look);
    pane->setMargins(
        {px(kTickColumn), px(rows * kLegendRow + kTitleRow), px(kEnd), px(kTickRow + kTitleRow)});
    QCPAxis &keys = *pane->axis(QCPAxis::atBottom), &values = *pane->axis(QCPAxis::atLeft);
    keys.ticker()->setTickCount(std::clamp(int(size.width() / 2) / px(90), 2, 6));
    values.ticker()->setTickCount(std::clamp(int(size.height()) / px(50), 2, 6));
    for (QCPAxis* axis : {&keys, &values}) axis->setTickLabels(result_ != nullptr);
  }
  for (const Curve& curve : curves_) {
    const bool mean = curve.role == Role::Mean;
    if (curve.role == Role::Low || curve.role == Role::High) {
      QColor band = look.seriesColour(curve.arm);
      band.setAlphaF(0.15F);  // bands overlap
      curve.graph->setPen(against_ == Against::Parameters ? look.rawPen(curve.arm)
                                                          : QPen(Qt::NoPen));
      curve.graph->setBrush(curve.role == Role::High ? QBrush(band) : QBrush(Qt::NoBrush));
      continue;
    }
    QPen pen = mean ? look.seriesPen(curve.arm) : look.rawPen(curve.arm);
    if (!mean) pen.setColor(look.faded(look.seriesColour(curve.arm), 0.6));
    curve.graph->setPen(pen);
    const bool dots = against_ == Against::Parameters || (mean && curve.graph->dataCount() <= kFew);
    const double size = (mean ? kDot : 0.6 * kDot) * look.unit;
    curve.graph->setScatterStyle(
        dots ? QCPScatterStyle(QCPScatterStyle::ssDisc, pen.color(), pen.color(), size)
             : QCPScatterStyle());
  }
}

void StudyPlots::arrange(const PlotLook& look) const {
  PointPlot::arrange(look);
  placeLegend(*canvas().legend, {8 * look.unit, 4 * look.unit});
}

void StudyPlots::paintWords(QPainter& painter) const {
  const double unit = look().unit;
  QString marks = against_ == Against::Parameters
                      ? tr("large: mean of the seeds · small: single seeds")
                      : tr("thick: mean of the seeds · band: ± deviation · thin: single seeds");
  if (!growths_.empty()) marks += tr(" · flags: the first grows");
  painter.setFont(look().text);
  painter.setPen(look().palette.muted);
  const QRectF names = canvas().legend->outerRect();
  const double left = names.right() + 2 * kGap * unit, room = canvas().viewport().right() - left;
  const double row = canvas().legend->iconSize().height();
  if (!arms_.empty())
    painter.drawText(QRectF(left, names.bottom() - row, room, row), Qt::AlignVCenter,
                     QFontMetricsF(look().text).elidedText(marks, Qt::ElideRight, room));
  const bool by_position = result_ && countsPositions(*result_);
  for (const Measure measure : {kLoss, kAccuracy}) {
    const QRectF axes = panes_[measure]->rect();
    painter.setFont(look().text);
    painter.setPen(look().palette.muted);
    painter.drawText(QRectF(axes.left() - (kTickColumn - 8) * unit,
                            axes.top() - (kTitleRow + 4) * unit, axes.width(), kTitleRow * unit),
                     Qt::AlignVCenter,
                     measure == kLoss ? tr("held-out loss (nats)")
                                      : tr("held-out %1").arg(accuracyText(by_position)));
    if (!result_) painter.drawText(axes, Qt::AlignCenter, tr("No data yet"));
    const QCPAxis& keys = *panes_[measure]->axis(QCPAxis::atBottom);
    for (const std::int64_t step : growths_) {
      const auto x = result_ ? xOfGrowth(step) : std::nullopt;
      if (!x || !keys.range().contains(*x)) continue;
      paintFlag(painter, {crisp(keys.coordToPixel(*x)), axes.top()}, axes.bottom(),
                look().palette.good, look());
    }
  }
}

std::optional<double> StudyPlots::xOfGrowth(std::int64_t step) const {
  if (against_ == Against::Steps) return double(step);
  if (against_ == Against::Parameters) return std::nullopt;
  // Interpolated between the adjacent measurements, from 0 at step 0.
  train::StudySpread last;
  const auto next = std::ranges::find_if(means_, [&](const train::StudySpread& mean) {
    if (mean.arm == arms_.front() && mean.step < step) last = mean;
    return mean.arm == arms_.front() && mean.step >= step;
  });
  if (next == means_.end()) return std::nullopt;
  return std::lerp(xOf(last), xOf(*next),
                   double(step - last.step) / double(next->step - last.step));
}

QPointF StudyPlots::placeOf(int point) const {
  const Measure measure = std::size_t(point) < shown_.size() ? kLoss : kAccuracy;
  const train::StudySpread& mean = shown_[std::size_t(point) % shown_.size()];
  return {panes_[measure]->axis(QCPAxis::atBottom)->coordToPixel(xOf(mean)),
          panes_[measure]->axis(QCPAxis::atLeft)->coordToPixel(yOf(measure, mean))};
}

QString StudyPlots::itemText(int point) const {
  const std::size_t count = shown_.size();
  const train::StudySpread& s = shown_[std::size_t(point) % count];
  const bool loss = std::size_t(point) < count;
  return tr("%1, step %2 (%3 operations, %4 s, %5 parameters): %6 %7")
      .arg(armText(s.arm), stepNumber(double(s.step)), operationsText(s.flops_mean),
           shortNumber(s.seconds_mean), stepNumber(double(s.parameters)),
           loss ? tr("loss") : accuracyText(s.by_position),
           loss ? spreadText(s.loss_mean, s.loss_deviation, s.runs)
                : spreadText(s.accuracy_mean, s.accuracy_deviation, s.runs));
}

DataTable StudyPlots::figureData() const {
  DataTable table;
  const auto lines = QString::fromStdString(train::toTsv(result_ ? *result_ : train::StudyCurves{}))
                         .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  table.columns = lines.front().split(QLatin1Char('\t'));
  for (const QString& line : lines.mid(1)) table.rows.push_back(line.split(QLatin1Char('\t')));
  return table;
}

}  // namespace tfm::ui

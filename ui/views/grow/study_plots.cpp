// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/study_plots.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/train/study_table.h"
#include "ui/figure/number_text.h"
#include "ui/plots/axis_ticks.h"
#include "ui/plots/plot_look.h"
#include "ui/style/style.h"
#include "ui/views/grow/study_words.h"

namespace tfm::ui {
namespace {

using train::StudyArm;

// Lengths at scale 1.
constexpr double kLegendRow = 26, kTitleRow = 20, kTickRow = 18, kTickColumn = 52, kGap = 10;
constexpr double kDot = 5, kItem = 10, kEnd = 22;
constexpr std::size_t kFew = 12;  // more dots would hide the dashes of a line

/// The line through what can be shown; `dots` where there are few points.
void paintLine(const std::vector<QPointF>& points, const QPen& pen, bool dots, QPainter& painter) {
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(points.data(), int(points.size()));
  if (!dots || points.size() > kFew) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(pen.color());
  for (const QPointF& point : points) painter.drawEllipse(point, kDot / 2, kDot / 2);
}

int seriesOf(StudyArm arm) { return arm == StudyArm::Grown ? 0 : 1; }

}  // namespace

StudyPlots::StudyPlots(const Style& style, QWidget* parent) : FigureWidget(style, parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setTitle(tr("Growing against training from scratch"));
}

QSize StudyPlots::minimumSizeHint() const { return {style_.px(420), style_.px(180)}; }

void StudyPlots::setResult(std::shared_ptr<const train::StudyResult> result,
                           std::vector<std::int64_t> growths) {
  result_ = std::move(result);
  growths_ = std::move(growths);
  means_.clear();
  if (result_)
    for (const StudyArm arm : {StudyArm::Grown, StudyArm::FromScratch})
      for (const train::StudySpread& mean : wholeSpreads(*result_, arm)) means_.push_back(mean);
  contentChanged();
}

void StudyPlots::setAgainst(Against against) {
  against_ = against;
  contentChanged();
}

void StudyPlots::setLogarithmic(bool logarithmic) {
  logarithmic_ = logarithmic;
  contentChanged();
}

double StudyPlots::xOf(const train::StudySpread& mean) const {
  if (against_ == Against::Steps) return double(mean.step);
  return against_ == Against::Operations ? mean.flops_mean : mean.seconds_mean;
}

double StudyPlots::xOf(const train::StudyPoint& point) const {
  if (against_ == Against::Steps) return double(point.step);
  return against_ == Against::Operations ? point.flops : point.seconds;
}

QString StudyPlots::xTitle() const {
  if (against_ == Against::Steps) return tr("steps");
  if (against_ == Against::Seconds) return tr("seconds of training");
  return xPower() == 0 ? tr("operations") : tr("operations / %1").arg(powerOfTenText(xPower()));
}

int StudyPlots::xPower() const {
  if (against_ != Against::Operations) return 0;
  return 3 * int(std::floor(std::log10(rangeOfX().high) / 3));
}

AxisRange StudyPlots::rangeOfX() const {
  AxisRange range{0, 0};
  if (result_)
    for (const train::StudyRun& run : result_->runs)
      for (const train::StudyPoint& point : run.points)
        range.high = std::max(range.high, xOf(point));
  return range.high > 0 ? range : AxisRange{};
}

AxisRange StudyPlots::rangeOfY(Measure measure) const {
  if (measure == kAccuracy) return padded(0, 1);
  double low = INFINITY, high = -INFINITY;
  if (result_)
    for (const train::StudyRun& run : result_->runs)
      for (const train::StudyPoint& point : run.points) {
        if (!std::isfinite(point.loss) || (logarithmic_ && point.loss <= 0)) continue;
        low = std::min(low, point.loss);
        high = std::max(high, point.loss);
      }
  if (low > high) return logarithmic_ ? AxisRange{0.01, 1} : AxisRange{};
  return padded(logarithmic_ ? low : 0, high, logarithmic_);
}

PlotFrame StudyPlots::frame(Measure measure, const QRectF& area) const {
  PlotFrame frame;
  const double width = (area.width() - kGap) / 2;
  const double left = area.left() + (measure == kLoss ? 0 : width + kGap);
  frame.rect = QRectF(left + kTickColumn, area.top() + kLegendRow + kTitleRow,
                      width - kTickColumn - kEnd, 1);
  frame.rect.setBottom(area.bottom() - kTickRow - kTitleRow);
  frame.logarithmic = measure == kLoss && logarithmic_;
  frame.x = rangeOfX();
  frame.y = rangeOfY(measure);
  return frame;
}

void StudyPlots::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const PlotLook look(palette);
  paintLegend(area, painter, look);
  for (const Measure measure : {kLoss, kAccuracy}) paintPane(measure, area, painter, look);
  painter.restore();
}

void StudyPlots::paintLegend(const QRectF& area, QPainter& painter, const PlotLook& look) const {
  const double sample = 26, gap = 8, y = area.top() + kLegendRow / 2 - 2;
  double x = area.left() + gap;
  const auto word = [&](const QString& text, const QFont& font, const QColor& colour) {
    painter.setFont(font);
    painter.setPen(colour);
    const QFontMetricsF metrics(font);
    const QString shown = metrics.elidedText(text, Qt::ElideRight, area.right() - x - 2);
    const double width = metrics.horizontalAdvance(shown) + 2;
    painter.drawText(QRectF(x, y - kLegendRow / 2, width, kLegendRow), Qt::AlignVCenter, shown);
    x += width + 2 * gap;
  };
  for (const StudyArm arm : {StudyArm::Grown, StudyArm::FromScratch}) {
    painter.setPen(look.seriesPen(seriesOf(arm)));
    painter.drawLine(QPointF(x, y), QPointF(x + sample, y));
    x += sample + gap;
    word(armText(arm), look.strong, look.palette.text);
  }
  word(tr("thick: mean of the seeds · thin: single seeds · flags: it grows"), look.text,
       look.palette.muted);
}

void StudyPlots::paintAxes(Measure measure, const PlotFrame& frame, QPainter& painter,
                           const PlotLook& look) const {
  const QRectF& rect = frame.rect;
  painter.setFont(look.text);
  painter.setPen(look.palette.muted);
  painter.drawText(
      QRectF(rect.left() - kTickColumn + 8, rect.top() - kTitleRow - 4, rect.width(), kTitleRow),
      Qt::AlignVCenter,
      measure == kLoss ? tr("held-out loss (nats)") : tr("right held-out answers"));
  painter.drawText(QRectF(rect.left(), rect.bottom() + kTickRow, rect.width(), kTitleRow),
                   Qt::AlignRight | Qt::AlignVCenter, xTitle());
  if (!result_) return;
  painter.setFont(look.number);
  const double count = std::min(rect.height() / 40, 6.0);
  const auto ys =
      frame.logarithmic ? logarithmicTicks(frame.y, count) : linearTicks(frame.y, count);
  for (const double tick : ys) {
    const double y = crisp(frame.yToPixel(tick));
    painter.setPen(look.gridColour());
    painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y));
    painter.setPen(look.palette.muted);
    painter.drawText(QRectF(rect.left() - kTickColumn, y - kTickRow / 2, kTickColumn - 6, kTickRow),
                     Qt::AlignRight | Qt::AlignVCenter, tickNumber(tick));
  }
  const double unit = std::pow(10.0, xPower());
  for (const double tick : linearTicks(frame.x, std::min(rect.width() / 60, 6.0))) {
    const double x = crisp(frame.xToPixel(tick));
    painter.setPen(look.palette.line);
    painter.drawLine(QPointF(x, rect.bottom()), QPointF(x, rect.bottom() + 4));
    painter.setPen(look.palette.muted);
    painter.drawText(QRectF(x - 50, rect.bottom() + 4, 100, kTickRow), Qt::AlignCenter,
                     tickNumber(tick / unit));
  }
}

void StudyPlots::paintGrowths(const PlotFrame& frame, QPainter& painter,
                              const PlotLook& look) const {
  const QColor& colour = look.palette.good;
  for (const std::int64_t step : growths_) {
    double x = double(step);
    if (against_ != Against::Steps) {
      // Between the measurements beside it, counted from nothing at step 0.
      train::StudySpread last;
      const auto next = std::find_if(means_.begin(), means_.end(), [&](const auto& mean) {
        if (mean.arm == StudyArm::Grown && mean.step < step) last = mean;
        return mean.arm == StudyArm::Grown && mean.step >= step;
      });
      if (next == means_.end()) continue;
      x = std::lerp(xOf(last), xOf(*next),
                    double(step - last.step) / double(next->step - last.step));
    }
    if (x > frame.x.high) continue;
    const QPointF top(crisp(frame.xToPixel(x)), frame.rect.top());
    painter.setPen(look.markerPen(colour));
    painter.drawLine(top, QPointF(top.x(), frame.rect.bottom()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF({top, top + QPointF(7, 4), top + QPointF(0, 8)}));
  }
}

void StudyPlots::paintPane(Measure measure, const QRectF& area, QPainter& painter,
                           const PlotLook& look) const {
  const PlotFrame frame = this->frame(measure, area);
  paintAxes(measure, frame, painter, look);
  if (!result_) {
    painter.setFont(look.text);
    painter.drawText(frame.rect, Qt::AlignCenter, tr("No data yet"));
    return;
  }
  paintGrowths(frame, painter, look);
  const auto place = [&](double x, double y) {
    return QPointF(frame.xToPixel(x), frame.yToPixel(y));
  };
  const auto add = [](std::vector<QPointF>& line, const QPointF& point) {
    if (std::isfinite(point.y())) line.push_back(point);
  };
  for (const train::StudyRun& run : result_->runs) {
    std::vector<QPointF> line;
    for (const train::StudyPoint& p : run.points)
      add(line, place(xOf(p), measure == kLoss ? p.loss : p.accuracy));
    QPen pen(look.rawPen(seriesOf(run.arm)));
    pen.setColor(look.faded(look.seriesColour(seriesOf(run.arm)), 0.6));
    paintLine(line, pen, false, painter);
  }
  for (const StudyArm arm : {StudyArm::Grown, StudyArm::FromScratch}) {
    std::vector<QPointF> line;
    for (const train::StudySpread& s : means_)
      if (s.arm == arm) add(line, place(xOf(s), measure == kLoss ? s.loss_mean : s.accuracy_mean));
    paintLine(line, look.seriesPen(seriesOf(arm)), true, painter);
  }
}

QRectF StudyPlots::itemArea(int item, const QRectF& area) const {
  const std::size_t count = means_.size(), index = std::size_t(item) % count;
  const Measure measure = std::size_t(item) < count ? kLoss : kAccuracy;
  const PlotFrame frame = this->frame(measure, area);
  const train::StudySpread& mean = means_[index];
  const double y = frame.yToPixel(measure == kLoss ? mean.loss_mean : mean.accuracy_mean);
  if (!std::isfinite(y)) return {};
  return {frame.xToPixel(xOf(mean)) - kItem / 2, y - kItem / 2, kItem, kItem};
}

QString StudyPlots::itemText(int item) const {
  const std::size_t count = means_.size();
  const train::StudySpread& s = means_[std::size_t(item) % count];
  const bool loss = std::size_t(item) < count;
  return (loss ? tr("%1, step %2 (%3 operations, %4 s): loss %5")
               : tr("%1, step %2 (%3 operations, %4 s): accuracy %5"))
      .arg(armText(s.arm), stepNumber(double(s.step)), operationsText(s.flops_mean),
           shortNumber(s.seconds_mean),
           loss ? spreadText(s.loss_mean, s.loss_deviation, s.runs)
                : spreadText(s.accuracy_mean, s.accuracy_deviation, s.runs));
}

DataTable StudyPlots::figureData() const {
  DataTable table;
  const auto lines = QString::fromStdString(train::toTsv(result_ ? *result_ : train::StudyResult{}))
                         .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  table.columns = lines.front().split(QLatin1Char('\t'));
  for (const QString& line : lines.mid(1)) table.rows.push_back(line.split(QLatin1Char('\t')));
  return table;
}

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/logit_overlay.h"

#include <qcustomplot.h>

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/figure/number_text.h"
#include "ui/figure/token_text.h"
#include "ui/plots/plot_axes.h"
#include "ui/plots/plot_frame.h"
#include "ui/style/oklab.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr std::size_t kMax = 40;  // more could not be distinguished side by side
// Lengths at scale 1.
constexpr double kSlot = 26, kWidestBar = 56, kMinSlots = 8;
constexpr double kTokenRoom = 60;  // for a token wider than its slot
constexpr double kAxis = 58, kHead = 22, kTokens = 22, kFoot = 6, kEnd = 4;
constexpr double kLogits = 150, kDifferences = 96;

/// "7.6 × 10⁻⁷", or plain digits if they are short.
QString powerText(double value) {
  const int power = int(std::floor(std::log10(std::abs(value))));
  if (power >= -2 && power <= 3) return QString::number(value, 'g', 3);
  return QStringLiteral("%1 × %2").arg(QString::number(value / std::pow(10.0, power), 'f', 1),
                                       powerOfTenText(power));
}

/// The most relevant tokens of a large vocabulary: half by logit, half by difference.
std::vector<int> chosen(const std::vector<LogitPair>& logits) {
  std::vector<int> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  if (order.size() <= kMax) return order;
  const auto at = [&](int i) -> const LogitPair& { return logits[std::size_t(i)]; };
  const auto half = order.begin() + kMax / 2;
  std::partial_sort(order.begin(), half, order.end(),
                    [&](int a, int b) { return at(a).before > at(b).before; });
  std::partial_sort(half, order.begin() + kMax, order.end(), [&](int a, int b) {
    return std::abs(at(a).difference()) > std::abs(at(b).difference());
  });
  order.resize(kMax);
  std::ranges::sort(order);
  return order;
}

}  // namespace

LogitOverlay::LogitOverlay(Style& style, QWidget* parent) : PointPlot(style, parent) {
  setTitle(tr("Logits before and after"));
  QCustomPlot& plot = canvas();
  upper_ = plot.axisRect();
  lower_ = &axesAt(plot, 1, 0);
  plot.plotLayout()->setRowStretchFactor(0, kLogits + kHead + kTokens);
  plot.plotLayout()->setRowStretchFactor(1, kDifferences + kHead + kFoot);
  plot.plotLayout()->setRowSpacing(0);
  const auto bars = [](QCPAxisRect& axes) {
    return new QCPBars(axes.axis(QCPAxis::atBottom), axes.axis(QCPAxis::atLeft));
  };
  before_ = bars(*upper_);
  for (QCPBars*& after : after_) after = bars(*upper_);
  for (QCPBars*& difference : differences_) difference = bars(*lower_);
  for (QCPAxisRect* axes : {upper_, lower_}) axes->axis(QCPAxis::atLeft)->setTicker(valueTicker());
  addPainting("axes", [this](QPainter& painter) { paintWords(painter); });
}

bool LogitOverlay::isWrong(const LogitPair& pair) const {
  return !(std::abs(pair.difference()) <= tolerance_);
}

void LogitOverlay::setLogits(std::vector<LogitPair> logits, double tolerance) {
  logits_ = std::move(logits);
  tolerance_ = tolerance;
  shown_ = chosen(logits_);
  largest_ = 0.0;
  for (const LogitPair& pair : logits_) {
    const double far = std::abs(pair.difference());
    if (!(far <= largest_)) largest_ = far;
    if (std::isnan(far)) break;
  }
  before_->data()->clear();
  for (const auto& all : {after_, differences_})
    for (QCPBars* bars : all) bars->data()->clear();
  for (int i = 0; i < itemCount(); ++i) {
    const bool wrong = isWrong(pair(i));
    const double difference = pair(i).difference();
    if (!std::isfinite(difference)) continue;
    before_->addData(i, pair(i).before);
    after_[wrong]->addData(i, pair(i).after);
    if (difference != 0.0) differences_[wrong]->addData(i, difference);
  }
  pointsChanged(hoveredItem(), lockedItem());
}

void LogitOverlay::prepare(const PlotLook& look, const QSizeF& size) const {
  const auto px = [&](double length) { return int(std::ceil(length * look.unit)); };
  const double width = std::max(size.width() - px(kAxis) - px(kEnd), 1.0);
  const double slot = width / std::max(1, itemCount());
  double low = 0.0, high = 0.0;
  for (const QCPBars* bars : {before_, after_[0], after_[1]})
    for (const QCPBarsData& bar : *bars->data()) {
      low = std::min(low, bar.value);
      high = std::max(high, bar.value);
    }
  const double fine = largest_ > 0.0 && std::isfinite(largest_) ? 1.1 * largest_ : 1.0;
  const double air = 0.04 * (high - low);
  setRange(*upper_->axis(QCPAxis::atLeft),
           {low < 0 ? low - air : 0.0, high > 0 ? high + air : (low < 0 ? 0.0 : 1.0)});
  setRange(*lower_->axis(QCPAxis::atLeft), {-fine, fine});
  for (QCPAxisRect* axes : {upper_, lower_}) {
    QCPAxis &keys = *axes->axis(QCPAxis::atBottom), &values = *axes->axis(QCPAxis::atLeft);
    dressAxes(*axes, look);
    setRange(keys, {-0.5, std::max(itemCount(), 1) - 0.5});
    keys.setTickLengthOut(0);
    keys.setTickLabels(axes == upper_);
    values.setTickLabels(!logits_.empty() && (axes == upper_ || largest_ > 0.0));
    values.grid()->setZeroLinePen(QPen(look.palette.muted, look.unit));
    values.ticker()->setTickCount(std::clamp(int(size.height()) / px(90), 1, 4));
  }
  upper_->setMargins({px(kAxis), px(kHead), px(kEnd), px(kTokens)});
  lower_->setMargins({px(kAxis), px(kHead), px(kEnd), px(kFoot)});
  nameTokens(look, slot);

  const double bar = std::min(0.62 * slot, kWidestBar * look.unit);
  const QColor colours[] = {look.palette.good, look.palette.bad};
  before_->setBrush(mixOklab(look.palette.panel, look.palette.series[0], 0.55));
  for (const std::size_t wrong : {0U, 1U}) {
    QPen outline(wrong ? look.palette.bad : look.palette.text, (wrong ? 2.0 : 1.4) * look.unit);
    outline.setJoinStyle(Qt::MiterJoin);
    after_[wrong]->setPen(outline);
    after_[wrong]->setBrush(Qt::NoBrush);
    differences_[wrong]->setBrush(colours[wrong]);
    differences_[wrong]->setPen(Qt::NoPen);
  }
  before_->setPen(Qt::NoPen);
  for (QCPBars* bars : {before_, after_[0], after_[1], differences_[0], differences_[1]}) {
    bars->setWidthType(QCPBars::wtAbsolute);
    bars->setWidth(bar);
  }
}

void LogitOverlay::nameTokens(const PlotLook& look, double slot) const {
  const QFontMetricsF metrics(look.number);
  const double room = std::max(kTokenRoom * look.unit, slot - 4);
  auto* ticker = new QCPAxisTickerText;
  double free = 0;
  for (int i = 0; i < itemCount(); ++i) {
    const QString token = metrics.elidedText(visibleToken(pair(i).token), Qt::ElideRight, room);
    const double half = metrics.horizontalAdvance(token) / 2, middle = (i + 0.5) * slot;
    if (middle - half < free - 1) continue;
    ticker->addTick(i, token);
    free = middle + half + 3;
  }
  upper_->axis(QCPAxis::atBottom)->setTicker(QSharedPointer<QCPAxisTicker>(ticker));
}

QString LogitOverlay::differenceText() const {
  if (!std::isfinite(largest_)) return tr("Difference: not a number");
  if (largest_ == 0.0) return tr("Difference: exactly zero");
  return tr("Difference, largest %1").arg(powerText(largest_));
}

void LogitOverlay::paintWords(QPainter& painter) const {
  painter.setFont(look().text);
  painter.setPen(logits_.empty() ? look().palette.muted : look().palette.text);
  if (logits_.empty())
    return painter.drawText(canvas().viewport(), Qt::AlignCenter, tr("No logits yet"));
  QString above = tr("Logits: filled before, outlined after");
  if (shown_.size() < logits_.size())
    above = tr("%1 (%2 of %3: largest values and differences)")
                .arg(above)
                .arg(shown_.size())
                .arg(logits_.size());
  const double gap = 7 * look().unit;
  painter.drawText(QPointF(upper_->left(), upper_->top() - gap), above);
  painter.drawText(QPointF(lower_->left(), lower_->top() - gap), differenceText());
}

QPointF LogitOverlay::placeOf(int point) const {
  return {upper_->axis(QCPAxis::atBottom)->coordToPixel(point),
          upper_->axis(QCPAxis::atLeft)->coordToPixel(pair(point).after)};
}

int LogitOverlay::itemUnder(const QPointF& place) const {
  const int point = int(std::floor(upper_->axis(QCPAxis::atBottom)->pixelToCoord(place.x()) + 0.5));
  return place.x() >= upper_->left() && point < itemCount() ? std::max(point, -1) : -1;
}

QString LogitOverlay::itemText(int point) const {
  const LogitPair& logit = pair(point);
  return tr("'%1': before %2, after %3, difference %4")
      .arg(visibleToken(logit.token), QString::number(logit.before, 'g', 9),
           QString::number(logit.after, 'g', 9), QString::number(logit.difference(), 'e', 2));
}

QSizeF LogitOverlay::figureSize() const {
  const double columns = std::max<double>(itemCount(), kMinSlots);
  return QSizeF(style_.px(kAxis + columns * kSlot),
                style_.px(2 * kHead + kLogits + kDifferences + kTokens + kFoot));
}

DataTable LogitOverlay::figureData() const {
  DataTable table{{"token", "before", "after", "difference"}, {}};
  for (const LogitPair& logit : logits_)
    table.rows.push_back({logit.token, fullPrecision(logit.before), fullPrecision(logit.after),
                          fullPrecision(logit.difference())});
  return table;
}

}  // namespace tfm::ui

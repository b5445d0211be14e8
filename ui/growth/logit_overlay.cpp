// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/logit_overlay.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "ui/style/oklab.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr std::size_t kMax = 40;  // logits that can be told apart side by side
constexpr double kSlot = 26.0;
constexpr double kWidestBar = 56.0;
constexpr double kTokenRoom = 60.0;  // in which a token may reach beyond its slot
constexpr double kAxis = 58.0;
constexpr double kHead = 22.0;
constexpr double kLogits = 150.0;
constexpr double kDifferences = 96.0;
constexpr double kTokens = 22.0;
constexpr double kGap = 14.0;
constexpr double kFoot = 6.0;  // half a tick's number

double difference(const LogitPair& pair) { return pair.after - pair.before; }

/// The exponent of ten that a number is written with.
int exponentOf(double value) { return static_cast<int>(std::floor(std::log10(value))); }

/// Whether numbers of this power of ten are written without it.
bool isPlain(int exponent) { return exponent >= -2 && exponent <= 3; }

QString superscript(int number) {
  static const QString kDigits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
  QString text;
  for (const QChar c : QString::number(number))
    text += c == QLatin1Char('-') ? QChar(0x207b) : kDigits[c.digitValue()];
  return text;
}

/// "7.6 × 10⁻⁷", or plain digits where those are short.
QString powerText(double value) {
  const int exponent = exponentOf(std::abs(value));
  if (isPlain(exponent)) return QLocale().toString(value, 'g', 3);
  return QStringLiteral("%1 × 10%2")
      .arg(QLocale().toString(value / std::pow(10.0, exponent), 'f', 1), superscript(exponent));
}

/// A round number not below `value`: 1, 2 or 5 times a power of ten.
double roundUp(double value) {
  const double power = std::pow(10.0, exponentOf(value));
  for (const double step : {1.0, 2.0, 5.0, 10.0})
    if (step * power >= value * (1.0 - 1e-12)) return step * power;
  return 10.0 * power;
}

QString visible(const QString& token) {
  if (token == QLatin1String(" ")) return QStringLiteral("␣");
  if (token == QLatin1String("\n")) return QStringLiteral("↵");
  return token;
}

/// Of long vocabularies those that matter: half by their logit, half by their difference.
std::vector<int> chosen(const std::vector<LogitPair>& logits) {
  std::vector<int> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  if (order.size() <= kMax) return order;
  const auto at = [&](int i) -> const LogitPair& { return logits[static_cast<std::size_t>(i)]; };
  const auto half = order.begin() + kMax / 2;
  std::partial_sort(order.begin(), half, order.end(),
                    [&](int a, int b) { return at(a).before > at(b).before; });
  std::partial_sort(half, order.begin() + kMax, order.end(), [&](int a, int b) {
    return std::abs(difference(at(a))) > std::abs(difference(at(b)));
  });
  order.resize(kMax);
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace

/// The two plots above each other and their scales.
struct LogitOverlay::Axes {
  QRectF logits, differences, tokens;
  double slot = kSlot;
  double low = 0.0, high = 1.0;  ///< of the logits; zero is inside
  double fine = 0.0;             ///< the differences' limit; 0 if there are none

  double barWidth() const { return std::min(slot * 0.62, kWidestBar); }
  double x(int item) const { return logits.left() + (item + 0.5) * slot; }
  double yLogit(double value) const {
    return logits.bottom() - (std::clamp(value, low, high) - low) / (high - low) * logits.height();
  }
  double yDifference(double value) const {
    const double share = fine > 0.0 ? std::clamp(value / fine, -1.0, 1.0) : 0.0;
    return differences.center().y() - share * differences.height() / 2;
  }
};

LogitOverlay::LogitOverlay(const Style& style, QWidget* parent) : FigureWidget(style, parent) {
  setTitle(tr("Logits before and after"));
}

void LogitOverlay::setLogits(std::vector<LogitPair> logits, double tolerance) {
  logits_ = std::move(logits);
  tolerance_ = tolerance;
  shown_ = chosen(logits_);
  largest_ = 0.0;
  for (const LogitPair& pair : logits_) {
    const double far = std::abs(difference(pair));
    if (!(far <= largest_)) largest_ = far;
    if (std::isnan(far)) break;
  }
  contentChanged();
}

const LogitPair& LogitOverlay::pair(int item) const {
  return logits_[static_cast<std::size_t>(shown_[static_cast<std::size_t>(item)])];
}

QString LogitOverlay::magnifiedBy() const {
  if (!(largest_ > 0.0) || !std::isfinite(largest_)) return {};
  const int exponent = exponentOf(roundUp(largest_));
  return isPlain(exponent) ? QString() : QStringLiteral("× 10") + superscript(exponent);
}

QSizeF LogitOverlay::figureSize() const {
  const double wide = kAxis + std::max<double>(itemCount(), 8) * kSlot;
  return {wide, 2 * kHead + kLogits + kGap + kDifferences + kTokens + kFoot};
}

LogitOverlay::Axes LogitOverlay::axesIn(const QRectF& area) const {
  Axes axes;
  const double left = area.left() + kAxis;
  const double spare = area.height() - 2 * kHead - kGap - kTokens - kFoot;
  const double upper = spare * kLogits / (kLogits + kDifferences);
  axes.logits = QRectF(left, area.top() + kHead, area.right() - left, upper);
  axes.tokens = QRectF(left, axes.logits.bottom(), axes.logits.width(), kTokens);
  axes.differences =
      QRectF(left, axes.tokens.bottom() + kGap + kHead, axes.logits.width(), spare - upper);
  axes.slot = axes.logits.width() / std::max(1, itemCount());
  double low = 0.0, high = 0.0;
  for (int i = 0; i < itemCount(); ++i) {
    for (const double value : {pair(i).before, pair(i).after}) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  const double room = 0.04 * std::max(high - low, 1e-300);
  axes.low = low < 0.0 ? low - room : 0.0;
  axes.high = high > 0.0 ? high + room : (low < 0.0 ? 0.0 : 1.0);
  axes.fine = largest_ > 0.0 && std::isfinite(largest_) ? roundUp(largest_) : 0.0;
  return axes;
}

QRectF LogitOverlay::itemArea(int item, const QRectF& area) const {
  const Axes axes = axesIn(area);
  return {axes.x(item) - axes.slot / 2, axes.logits.top(), axes.slot,
          axes.differences.bottom() - axes.logits.top()};
}

QString LogitOverlay::itemText(int item) const {
  const LogitPair& logit = pair(item);
  const QLocale locale;
  return tr("'%1': before %2, after %3, difference %4")
      .arg(visible(logit.token), locale.toString(logit.before, 'g', 9),
           locale.toString(logit.after, 'g', 9), locale.toString(difference(logit), 'e', 2));
}

void LogitOverlay::paintLogits(QPainter& painter, const Axes& axes, const Palette& palette) const {
  const double width = axes.barWidth();
  for (int i = 0; i < itemCount(); ++i) {
    const LogitPair& logit = pair(i);
    if (!std::isfinite(logit.before) || !std::isfinite(logit.after)) continue;
    const auto bar = [&](double value) {
      return QRectF(QPointF(axes.x(i) - width / 2, axes.yLogit(0.0)),
                    QPointF(axes.x(i) + width / 2, axes.yLogit(value)))
          .normalized();
    };
    painter.setPen(Qt::NoPen);
    painter.setBrush(mixOklab(palette.panel, palette.accent, 0.55));
    painter.drawRect(bar(logit.before));
    const bool wrong = !(std::abs(difference(logit)) <= tolerance_);
    painter.setPen(QPen(wrong ? palette.bad : palette.text, wrong ? 2.0 : 1.4, Qt::SolidLine,
                        Qt::SquareCap, Qt::MiterJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar(logit.after));
  }
  painter.setPen(QPen(palette.muted, 1));
  painter.drawLine(QPointF(axes.logits.left(), axes.yLogit(0.0)),
                   QPointF(axes.logits.right(), axes.yLogit(0.0)));
}

void LogitOverlay::paintDifferences(QPainter& painter, const Axes& axes,
                                    const Palette& palette) const {
  const double width = axes.barWidth();
  const double zero = axes.yDifference(0.0);
  painter.setPen(Qt::NoPen);
  for (int i = 0; i < itemCount(); ++i) {
    const double value = difference(pair(i));
    const bool wrong = !(std::abs(value) <= tolerance_);
    painter.setBrush(wrong ? palette.bad : palette.good);
    if (std::isfinite(value) && value != 0.0)
      painter.drawRect(QRectF(QPointF(axes.x(i) - width / 2, zero),
                              QPointF(axes.x(i) + width / 2, axes.yDifference(value)))
                           .normalized());
  }
  painter.setPen(QPen(palette.muted, 1));
  painter.drawLine(QPointF(axes.differences.left(), zero), QPointF(axes.differences.right(), zero));
}

void LogitOverlay::paintTokens(QPainter& painter, const Axes& axes, const Palette& palette) const {
  const QFont font = Style::numberFace(12);
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  painter.setPen(palette.text);
  const double room = std::max(kTokenRoom, axes.slot - 4.0);
  double free_from = axes.tokens.left();
  for (int i = 0; i < itemCount(); ++i) {
    const QString token = metrics.elidedText(visible(pair(i).token), Qt::ElideRight, room);
    const double width = metrics.horizontalAdvance(token);
    const double left = axes.x(i) - width / 2;
    if (left < free_from - 1.0) continue;
    painter.drawText(QPointF(left, axes.tokens.top() + 4.0 + metrics.ascent()), token);
    free_from = left + width + 3.0;
  }
}

void LogitOverlay::paintFigure(QPainter& painter, const QRectF& area,
                               const Palette& palette) const {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  if (logits_.empty()) {
    painter.setFont(Style::textFace(13));
    painter.setPen(palette.muted);
    painter.drawText(area, Qt::AlignCenter, tr("No logits yet"));
    painter.restore();
    return;
  }
  const Axes axes = axesIn(area);
  paintLogits(painter, axes, palette);
  paintDifferences(painter, axes, palette);
  paintTokens(painter, axes, palette);

  const QLocale locale;
  const QFont words = Style::textFace(12), digits = Style::numberFace(10.5);
  const auto tick = [&](double y, const QString& text) {
    painter.drawText(QRectF(area.left(), y - 8, kAxis - 8, 16), Qt::AlignRight | Qt::AlignVCenter,
                     text);
  };
  painter.setFont(digits);
  painter.setPen(palette.muted);
  tick(axes.yLogit(0.0), QStringLiteral("0"));
  if (axes.yLogit(0.0) - axes.logits.top() > 16)
    tick(axes.logits.top() + 4, locale.toString(axes.high, 'g', 3));
  if (axes.logits.bottom() - axes.yLogit(0.0) > 16)
    tick(axes.logits.bottom() - 4, locale.toString(axes.low, 'g', 3));
  if (axes.fine > 0.0) {
    const int exponent = exponentOf(axes.fine);
    const double unit = isPlain(exponent) ? 1.0 : std::pow(10.0, exponent);
    const QString most = locale.toString(axes.fine / unit, 'g', 2);
    tick(axes.differences.top() + 4, QLatin1Char('+') + most);
    tick(axes.differences.bottom() - 4, QChar(0x2212) + most);
  }
  // In a low picture the limits leave no room between them.
  if (axes.fine == 0.0 || axes.differences.height() > 40)
    tick(axes.differences.center().y(), QStringLiteral("0"));

  const auto heading = [&](const QRectF& plot, const QString& text) {
    painter.drawText(QPointF(plot.left(), plot.top() - 7), text);
  };
  painter.setFont(words);
  painter.setPen(palette.text);
  QString above = tr("Logits: filled before, outlined after");
  if (shown_.size() < logits_.size())
    above = tr("%1 (%2 of %3: the largest, and those that differ most)")
                .arg(above)
                .arg(shown_.size())
                .arg(logits_.size());
  heading(axes.logits, above);
  if (std::isnan(largest_) || std::isinf(largest_))
    heading(axes.differences, tr("Difference: not a number"));
  else if (largest_ == 0.0)
    heading(axes.differences, tr("Difference: none at all"));
  else if (magnifiedBy().isEmpty())
    heading(axes.differences, tr("Difference, largest %1").arg(powerText(largest_)));
  else
    heading(axes.differences,
            tr("Difference %1, largest %2").arg(magnifiedBy(), powerText(largest_)));
  painter.restore();
}

DataTable LogitOverlay::figureData() const {
  DataTable table;
  table.columns = {QStringLiteral("token"), QStringLiteral("before"), QStringLiteral("after"),
                   QStringLiteral("difference")};
  for (const LogitPair& logit : logits_)
    table.rows.push_back({logit.token, fullPrecision(logit.before), fullPrecision(logit.after),
                          fullPrecision(difference(logit))});
  return table;
}

}  // namespace tfm::ui

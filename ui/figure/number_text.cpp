// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/number_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace tfm::ui {
namespace {

constexpr int kDigits = 3;
constexpr double kLarge = 1e6;  // larger numbers would not fit into a column

struct FormatText {
  Q_DECLARE_TR_FUNCTIONS(NumberText)
};

/// Mantissa and exponent without the padding zeros of printf ("6.1e-5").
QString scientific(double value, char format) {
  int exponent = int(std::floor(std::log10(std::abs(value))));
  double mantissa = value / std::pow(10.0, exponent);
  // 9.999 would print as 10.0.
  if (std::abs(mantissa) >= 9.995) {
    mantissa /= 10;
    ++exponent;
  }
  return QString::number(mantissa, format, format == 'f' ? kDigits - 1 : kDigits) +
         QLatin1Char('e') + QString::number(exponent);
}

QString formatted(double value, char format) {
  if (std::isnan(value)) return FormatText::tr("not a number");
  if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
  if (value == 0) return QStringLiteral("0");
  const double size = std::abs(value);
  if (size < 9.995e-5 || size >= kLarge) return scientific(value, format);
  if (size >= 999.5) return QString::number(value, 'f', 0);
  if (format == 'g') return QString::number(value, 'g', kDigits);
  // Rounding to three digits can carry into the next power of ten: 0.9996 is "1.00".
  const double rounded = size * (1 + 0.5 * std::pow(10.0, -kDigits));
  const int power = int(std::floor(std::log10(rounded)));
  return QString::number(value, 'f', std::max(0, kDigits - 1 - power));
}

}  // namespace

QString durationText(double seconds) {
  constexpr double kMax = 3600.0 * 24 * 365;
  if (!(seconds < kMax)) return FormatText::tr("over a year");
  const auto whole = qlonglong(std::ceil(seconds));
  if (whole < 60) return FormatText::tr("%1 s").arg(whole);
  if (whole < 3600) return FormatText::tr("%1 min %2 s").arg(whole / 60).arg(whole % 60);
  return FormatText::tr("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
}

QString shortNumber(double value) { return formatted(value, 'f'); }

QString tickNumber(double value) { return formatted(value, 'g'); }

QString stepNumber(double step) { return QString::number(step, 'f', 0); }

QString fixedNumber(double value, int decimals) {
  if (std::isnan(value)) return FormatText::tr("NaN");
  if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QStringLiteral("-∞");
  if (std::abs(value) >= kLarge) return scientific(value, 'f');
  // A value that rounds to 0 is shown without a sign.
  const double rounded = std::abs(value) < 0.5 * std::pow(10.0, -decimals) ? 0.0 : value;
  return QString::number(rounded, 'f', decimals);
}

QString percentText(double share, int decimals) {
  return FormatText::tr("%1 %").arg(fixedNumber(100.0 * share, decimals));
}

QString accuracyText(bool by_position) {
  return by_position ? FormatText::tr("position accuracy") : FormatText::tr("accuracy");
}

QString powerOfTenText(int power) {
  static constexpr char16_t kRaised[] = u"⁰¹²³⁴⁵⁶⁷⁸⁹";
  QString text = QStringLiteral("10");
  for (const QChar digit : QString::number(power))
    text += digit == QLatin1Char('-') ? QChar(0x207b) : QChar(kRaised[digit.digitValue()]);
  return text;
}

int decimalsFor(double limit, int most) {
  if (!(limit > 0) || std::isinf(limit)) return kDigits - 1;
  const int power = int(std::floor(std::log10(limit)));
  return std::clamp(kDigits - 1 - std::max(power, -most), 0, most);
}

}  // namespace tfm::ui

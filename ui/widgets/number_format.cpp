// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/number_format.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

namespace tfm::ui {
namespace {

struct Text {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::NumberFormat)
};

constexpr int kDigits = 3;
constexpr int kMostDecimals = 6;

}  // namespace

QString fixedNumber(double value, int decimals) {
  if (std::isnan(value)) return Text::tr("NaN");
  if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QStringLiteral("-∞");
  // A value that rounds to nothing has no sign worth showing.
  const double rounded = std::abs(value) < 0.5 * std::pow(10.0, -decimals) ? 0.0 : value;
  return QLocale().toString(rounded, 'f', decimals);
}

int decimalsFor(double limit) {
  if (!(limit > 0) || std::isinf(limit)) return kDigits - 1;
  const int power = static_cast<int>(std::floor(std::log10(limit)));
  return std::clamp(kDigits - 1 - std::max(power, -kMostDecimals), 0, kMostDecimals);
}

}  // namespace tfm::ui

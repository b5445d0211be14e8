// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/color_scale.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "ui/figure/number_text.h"
#include "ui/style/oklab.h"
#include "ui/style/palette.h"

namespace tfm::ui {

double niceLimit(double magnitude) {
  if (!(magnitude > 0.0) || !std::isfinite(magnitude)) return 1.0;
  constexpr double kRounding = 1e-9;
  const double power = std::pow(10.0, std::floor(std::log10(magnitude)));
  for (const double factor : {1.0, 1.5, 2.0, 3.0, 5.0, 7.0})
    if (factor * power >= magnitude * (1.0 - kRounding)) return factor * power;
  return 10.0 * power;
}

ColorScale ColorScale::sequential(double low, double high) {
  check(low < high, "a colour scale goes from a lower to a higher limit");
  return {Kind::Sequential, low, high, 1.0};
}

ColorScale ColorScale::signedTo(double limit) {
  check(limit > 0.0, "a signed colour scale has a positive limit");
  return {Kind::Signed, -limit, limit, 1.0};
}

double ColorScale::share(double value) const {
  if (std::isnan(value)) return value;
  const bool is_signed = kind == Kind::Signed;
  const double raw = is_signed ? std::abs(value) / high : (value - low) / (high - low);
  double distance = std::clamp(raw, 0.0, 1.0);
  if (gamma != 1.0) distance = std::pow(distance, gamma);
  if (!is_signed) return distance;
  return value < 0.0 ? 0.5 - 0.5 * distance : 0.5 + 0.5 * distance;
}

int ColorScale::decimals() const {
  constexpr int kMost = 9;
  return decimalsFor(std::max(std::abs(low), std::abs(high)), kMost);
}

QString ColorScale::number(double value) const { return fixedNumber(value, decimals()); }

QString ColorScale::numberWithSign(double value) const {
  const QString text = number(value);
  return kind == Kind::Signed && value > 0.0 ? QLatin1Char('+') + text : text;
}

ColorTable::ColorTable(const ColorScale& scale, const Palette& palette)
    : scale_(scale), bad_(palette.bad.rgb()) {
  if (scale.kind == ColorScale::Kind::Sequential) {
    for (int i = 0; i <= kSteps; ++i) colors_[i] = cividis(static_cast<double>(i) / kSteps).rgb();
    return;
  }
  const OklabBlend below(palette.zero, palette.negative), above(palette.zero, palette.positive);
  for (int i = 0; i <= kSteps; ++i) {
    const double value = 2.0 * i / kSteps - 1.0;
    colors_[i] = (value < 0.0 ? below : above).at(std::abs(value)).rgb();
  }
}

QRgb ColorTable::evenColor(double value) const {
  const double step = (value - scale_.low) / (scale_.high - scale_.low) * kSteps;
  if (std::isnan(step)) return bad_;
  return colors_[static_cast<std::size_t>(std::clamp(step, 0.0, double(kSteps)) + 0.5)];
}

QRgb ColorTable::color(double value) const {
  if (scale_.gamma == 1.0) return evenColor(value);
  const double share = scale_.share(value);
  return std::isnan(share) ? bad_ : colors_[static_cast<int>(share * kSteps + 0.5)];
}

void ColorTable::colors(std::span<const float> values, QRgb* result) const {
  if (scale_.gamma == 1.0)
    for (const float value : values) *result++ = evenColor(double(value));
  else
    for (const float value : values) *result++ = color(double(value));
}

QRgb ColorTable::colorAt(double share) const {
  return color(scale_.low + share * (scale_.high - scale_.low));
}

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/color_scale.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/base/check.h"
#include "ui/figure/number_text.h"
#include "ui/style/oklab.h"
#include "ui/style/palette.h"

namespace tfm::ui {
namespace {

// The upper bits of a float's pattern are its exponent and first digits: binning by them is
// logarithmic binning.
constexpr int kDroppedBits = 16;
constexpr std::uint32_t kInfinity = 0x7f800000u;

}  // namespace

double niceLimit(double magnitude) {
  if (!(magnitude > 0.0) || !std::isfinite(magnitude)) return 1.0;
  constexpr double kRounding = 1e-9;
  const double power = std::pow(10.0, std::floor(std::log10(magnitude)));
  for (const double factor : {1.0, 1.5, 2.0, 3.0, 5.0, 7.0})
    if (factor * power >= magnitude * (1.0 - kRounding)) return factor * power;
  return 10.0 * power;
}

ColorScale ColorScale::sequential(double low, double high) {
  check(low < high, "the lower limit of a colour scale is below the upper");
  return {Kind::Sequential, low, high};
}

ColorScale ColorScale::signedTo(double limit) {
  check(limit > 0.0, "a signed colour scale has a positive limit");
  return {Kind::Signed, -limit, limit};
}

double ColorScale::share(double value) const {
  return std::isnan(value) ? value : std::clamp((value - low) / (high - low), 0.0, 1.0);
}

int ColorScale::decimals() const {
  constexpr int kMax = 9;
  return decimalsFor(std::max(std::abs(low), std::abs(high)), kMax);
}

QString ColorScale::number(double value) const { return fixedNumber(value, decimals()); }

QString ColorScale::numberWithSign(double value) const {
  const QString text = number(value);
  return kind == Kind::Signed && value > 0.0 ? QLatin1Char('+') + text : text;
}

ColorTable::ColorTable(const ColorScale& scale, const Palette& palette)
    : factor_(float(kSteps / (scale.high - scale.low))),
      offset_(float(0.5 - kSteps * scale.low / (scale.high - scale.low))),
      bad_(palette.bad.rgb()) {
  if (scale.kind == ColorScale::Kind::Sequential) {
    for (int i = 0; i <= kSteps; ++i) colors_[i] = cividis(double(i) / kSteps).rgb();
    return;
  }
  const OklabBlend below(palette.zero, palette.negative), above(palette.zero, palette.positive);
  for (int i = 0; i <= kSteps; ++i) {
    const double value = 2.0 * i / kSteps - 1.0;
    colors_[i] = (value < 0.0 ? below : above).at(std::abs(value)).rgb();
  }
}

ColorTable ColorTable::withBad(QRgb color) const {
  ColorTable other = *this;
  other.bad_ = color;
  return other;
}

ColorTable ColorTable::inGlOrder() const {
  ColorTable other = *this;
  for (QRgb& color : other.colors_) color = glPixel(color);
  other.bad_ = glPixel(bad_);
  return other;
}

QRgb ColorTable::color(float value) const {
  const float place = value * factor_ + offset_;
  if (std::isnan(place)) return bad_;
  return colors_[std::size_t(std::clamp(place, 0.0F, float(kSteps)))];
}

void ColorTable::colors(std::span<const float> values, QRgb* result) const {
  for (const float value : values) *result++ = color(value);
}

QRgb ColorTable::colorAt(double share) const { return colors_[std::size_t(share * kSteps + 0.5)]; }

QRgb glPixel(QRgb color) {
  const std::array<std::uint8_t, 4> bytes{
      static_cast<std::uint8_t>(qRed(color)), static_cast<std::uint8_t>(qGreen(color)),
      static_cast<std::uint8_t>(qBlue(color)), static_cast<std::uint8_t>(qAlpha(color))};
  return std::bit_cast<QRgb>(bytes);
}

MagnitudeHistogram::MagnitudeHistogram() : counts_(kInfinity >> kDroppedBits) {}

void MagnitudeHistogram::add(std::span<const float> values) {
  for (const float value : values) {
    const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(value) & 0x7fffffffu;
    if (magnitude == 0 || magnitude >= kInfinity) continue;
    ++counts_[magnitude >> kDroppedBits];
    ++total_;
  }
}

double MagnitudeHistogram::quantile(double share) const {
  const auto wanted = std::uint64_t(std::ceil(share * double(total_)));
  std::uint64_t seen = 0;
  for (std::size_t bin = 0; bin < counts_.size(); ++bin) {
    seen += counts_[bin];
    if (seen >= wanted && seen > 0)
      return bin == 0 ? 0 : std::bit_cast<float>(static_cast<std::uint32_t>(bin) << kDroppedBits);
  }
  return 0;
}

}  // namespace tfm::ui

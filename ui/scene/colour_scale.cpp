// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/colour_scale.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/base/check.h"

namespace tfm::ui {
namespace {

constexpr int kHalf = 255;  // colours on either side of zero
// The upper bits of a float's pattern are its exponent and first digits: binning by them is
// logarithmic binning.
constexpr int kDroppedBits = 16;
constexpr std::uint32_t kInfinity = 0x7f800000u;

Rgba rgba(const QColor& colour) {
  return {static_cast<std::uint8_t>(colour.red()), static_cast<std::uint8_t>(colour.green()),
          static_cast<std::uint8_t>(colour.blue()), 255};
}

}  // namespace

ColourScale::ColourScale(const Palette& palette, double limit)
    : limit_(limit), table_(2 * kHalf + 1), not_a_number_(rgba(palette.bad)) {
  check(limit > 0, "a colour scale has a positive limit");
  for (int i = -kHalf; i <= kHalf; ++i)
    table_[static_cast<std::size_t>(i + kHalf)] = rgba(signedColor(palette, i, kHalf));
}

ColourScale ColourScale::withNoNumber(const QColor& colour) const {
  ColourScale other = *this;
  other.not_a_number_ = rgba(colour);
  return other;
}

Rgba ColourScale::colour(float value) const {
  Rgba result;
  fill({&value, 1}, {&result, 1});
  return result;
}

void ColourScale::fill(std::span<const float> values, std::span<Rgba> out) const {
  check(values.size() == out.size(), "one pixel per value");
  const float steps = static_cast<float>(kHalf / limit_);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float place = values[i] * steps + (kHalf + 0.5f);
    // Written so that a NaN fails the first comparison.
    if (!(place == place)) {
      out[i] = not_a_number_;
      continue;
    }
    out[i] = table_[static_cast<std::size_t>(std::clamp(place, 0.f, 2.f * kHalf))];
  }
}

MagnitudeHistogram::MagnitudeHistogram() : counts_(kInfinity >> kDroppedBits) {}

void MagnitudeHistogram::add(std::span<const float> values) {
  for (const float value : values) {
    const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(value) & 0x7fffffffu;
    if (magnitude >= kInfinity) continue;
    ++counts_[magnitude >> kDroppedBits];
    ++total_;
  }
}

double MagnitudeHistogram::quantile(double share) const {
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(total_)));
  std::uint64_t seen = 0;
  for (std::size_t bin = 0; bin < counts_.size(); ++bin) {
    seen += counts_[bin];
    if (seen >= wanted && seen > 0)
      return bin == 0 ? 0 : std::bit_cast<float>(static_cast<std::uint32_t>(bin) << kDroppedBits);
  }
  return 0;
}

}  // namespace tfm::ui

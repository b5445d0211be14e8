// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ui/style/palette.h"

namespace tfm::ui {

/// One pixel as OpenGL reads it: red, green, blue, alpha.
using Rgba = std::array<std::uint8_t, 4>;

/// The table behind signedColor(): from -limit to limit, the same for every matrix of the wall.
class ColourScale {
 public:
  ColourScale(const Palette& palette, double limit);

  double limit() const { return limit_; }
  /// The same with another colour for what is not a number.
  ColourScale withNoNumber(const QColor& colour) const;
  /// Values beyond the limits take the colour of the limit; what is not a number takes
  /// Palette::bad.
  Rgba colour(float value) const;
  /// colour() of every value. `out` has as many pixels as there are values.
  void fill(std::span<const float> values, std::span<Rgba> out) const;

 private:
  double limit_;
  std::vector<Rgba> table_;
  Rgba not_a_number_;
};

/// Collects absolute values in one cheap pass, to say which of them is larger than most.
class MagnitudeHistogram {
 public:
  MagnitudeHistogram();
  /// What is not finite is left out.
  void add(std::span<const float> values);
  /// The least magnitude that at least `share` of the values do not exceed, within 1 %; 0 without
  /// values.
  double quantile(double share) const;

 private:
  std::vector<std::uint32_t> counts_;
  std::uint64_t total_ = 0;
};

}  // namespace tfm::ui

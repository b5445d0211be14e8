// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qrgb.h>

#include <QString>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ui/style/forward.h"

namespace tfm::ui {

/// `magnitude` rounded up to 1, 1.5, 2, 3, 5 or 7 times a power of ten, so that the limits of a
/// scale are easy to read and rarely change during training; 1 if it is not positive or not finite.
double niceLimit(double magnitude);

/// Maps values to colours. The limits belong to the scale, not to the data: values outside are
/// clamped, and the legend says so.
struct ColorScale {
  enum class Kind {
    Sequential,  ///< cividis from `low` to `high`
    Signed       ///< orange, neutral at zero, blue; `low` is -`high`
  };

  Kind kind = Kind::Sequential;
  double low = 0.0;
  double high = 1.0;

  static ColorScale sequential(double low = 0.0, double high = 1.0);
  /// Symmetric around zero; `limit` > 0.
  static ColorScale signedTo(double limit);

  /// The position of `value` on the scale, in [0, 1]; zero is 0.5 on a signed scale. NaN for NaN.
  double share(double value) const;
  /// The number of decimals that gives the limit three digits.
  int decimals() const;
  /// `value` as text; "NaN" for NaN.
  QString number(double value) const;
  /// As number(), with a plus sign before positive values of a signed scale.
  QString numberWithSign(double value) const;

  bool operator==(const ColorScale&) const = default;
};

/// A lookup table for the colours of a scale in a theme, fast enough for whole maps at every step.
class ColorTable {
 public:
  ColorTable(const ColorScale& scale, const Palette& palette);

  /// The same colours with `color`, in the same byte order, for NaN.
  ColorTable withBad(QRgb color) const;
  /// The same colours in OpenGL's byte order: red, green, blue, alpha.
  ColorTable inGlOrder() const;

  /// The colour of `value`, clamped to the limits; NaN gets the palette's `bad`.
  QRgb color(float value) const;
  /// The colours of many values; `result` has as many pixels.
  void colors(std::span<const float> values, QRgb* result) const;
  /// The colour at `share` in [0, 1] between the lower and the upper limit, for the legend.
  QRgb colorAt(double share) const;

 private:
  static constexpr int kSteps = 510;  // an even number, so that a signed zero has an entry

  float factor_, offset_;  ///< from a value to its index in the table
  std::array<QRgb, kSteps + 1> colors_;
  QRgb bad_;
};

/// A colour in OpenGL's byte order: red, green, blue, alpha.
QRgb glPixel(QRgb color);

/// A histogram of absolute values, filled in one pass, for quantiles.
class MagnitudeHistogram {
 public:
  MagnitudeHistogram();
  /// Adds values; skips zeros, which need no colour, and those that are not finite.
  void add(std::span<const float> values);
  /// The smallest magnitude that at least `share` of the values do not exceed, within 1 %; 0
  /// without values.
  double quantile(double share) const;

 private:
  std::vector<std::uint32_t> counts_;
  std::uint64_t total_ = 0;
};

}  // namespace tfm::ui

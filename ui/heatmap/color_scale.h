// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qrgb.h>

#include <QString>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tfm::ui {

struct Palette;

/// The least of 1, 1.5, 2, 3, 5, 7 times a power of ten that is not below `magnitude`, so that the
/// limits of a scale are read at a glance and rarely change while training; 1 for what is not above
/// 0 or not finite.
double niceLimit(double magnitude);

/// How values become colours. The limits belong to the scale, not to the data: what lies outside is
/// clamped, and the legend then says so.
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

  /// The place of `value` on the scale, in [0, 1]; zero is 0.5 on a signed scale. NaN for NaN.
  double share(double value) const;
  /// Decimals with which a number of this scale shows three digits at its limit.
  int decimals() const;
  /// `value` for the screen, in the user's locale; "NaN" when it is no number.
  QString number(double value) const;
  /// As number(), with a plus sign before positive values of a signed scale.
  QString numberWithSign(double value) const;

  bool operator==(const ColorScale&) const = default;
};

/// The colours of a scale in a theme, looked up instead of computed: for whole maps at every step.
class ColorTable {
 public:
  ColorTable(const ColorScale& scale, const Palette& palette);

  /// The same colours with `color`, in the same byte order, for values that are no number.
  ColorTable withBad(QRgb color) const;
  /// The same colours as OpenGL reads them: the bytes red, green, blue, alpha in this order.
  ColorTable inGlOrder() const;

  /// The colour of `value`, of the nearest limit outside the scale; values that are no number get
  /// the palette's `bad`.
  QRgb color(float value) const;
  /// The colours of many values; `result` has as many pixels.
  void colors(std::span<const float> values, QRgb* result) const;
  /// The colour at `share` in [0, 1] of the way from the lower to the upper limit: what the legend
  /// shows.
  QRgb colorAt(double share) const;

 private:
  static constexpr int kSteps = 510;  // an even number, so that a signed zero has an entry

  float factor_, offset_;  ///< from a value to its place in the table
  std::array<QRgb, kSteps + 1> colors_;
  QRgb bad_;
};

/// The bytes of a colour as OpenGL reads them: red, green, blue, alpha.
QRgb glPixel(QRgb color);

/// Collects absolute values in one cheap pass, to say which of them is larger than most.
class MagnitudeHistogram {
 public:
  MagnitudeHistogram();
  /// Leaves out what is not finite.
  void add(std::span<const float> values);
  /// The least magnitude that at least `share` of the values do not exceed, within 1 %; 0 without
  /// values.
  double quantile(double share) const;

 private:
  std::vector<std::uint32_t> counts_;
  std::uint64_t total_ = 0;
};

}  // namespace tfm::ui

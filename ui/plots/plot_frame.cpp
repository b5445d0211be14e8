// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_frame.h"

#include <algorithm>
#include <cmath>

namespace tfm::ui {
AxisRange padded(double low, double high, bool logarithmic) {
  constexpr double kAir = 0.05;
  if (logarithmic) {
    const double air = std::max(std::pow(high / low, kAir), 1.1);
    return {low / air, high * air};
  }
  const double air = high > low ? kAir * (high - low) : std::max(std::abs(high) * kAir, 1e-6);
  // Data starting near zero is shown from zero, with room for the line width.
  if (low >= 0 && low <= 2 * air) return {-0.3 * air, high + air};
  return {low - air, high + air};
}

double crisp(double pixel) { return std::floor(pixel) + 0.5; }

double PlotFrame::xToPixel(double value) const {
  return rect.left() + (value - x.low) / x.span() * rect.width();
}

double PlotFrame::yToPixel(double value) const {
  return rect.bottom() - (value - y.low) / y.span() * rect.height();
}

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_frame.h"

#include <algorithm>
#include <cmath>

namespace tfm::ui {
namespace {

// Closer than this the difference of two doubles is noise, and ticks repeat.
constexpr double kSmallestShare = 1e-9;
constexpr double kLargest = 1e15;

/// Logarithmic axes zoom and pan in the logarithm.
template <class Change>
AxisRange changed(const AxisRange& range, bool logarithmic, Change change) {
  if (!logarithmic) return change(range);
  const AxisRange log = change(AxisRange{std::log10(range.low), std::log10(range.high)});
  return {std::pow(10.0, log.low), std::pow(10.0, log.high)};
}

bool usable(const AxisRange& range, bool logarithmic) {
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  return std::isfinite(range.low) && std::isfinite(range.high) && size < kLargest &&
         range.span() > size * kSmallestShare && (!logarithmic || range.low > 0);
}

}  // namespace

AxisRange zoomed(const AxisRange& range, double centre, double factor, bool logarithmic) {
  const double fixed = logarithmic ? std::log10(centre) : centre;
  const AxisRange result = changed(range, logarithmic, [&](const AxisRange& r) {
    return AxisRange{fixed - (fixed - r.low) / factor, fixed + (r.high - fixed) / factor};
  });
  return usable(result, logarithmic) ? result : range;
}

AxisRange panned(const AxisRange& range, double share, bool logarithmic) {
  const AxisRange result = changed(range, logarithmic, [&](const AxisRange& r) {
    return AxisRange{r.low + share * r.span(), r.high + share * r.span()};
  });
  return usable(result, logarithmic) ? result : range;
}

AxisRange padded(double low, double high, bool logarithmic) {
  constexpr double kAir = 0.05;
  if (logarithmic) {
    const double air = std::max(std::pow(high / low, kAir), 1.1);
    return {low / air, high * air};
  }
  const double air = high > low ? kAir * (high - low) : std::max(std::abs(high) * kAir, 1e-6);
  // What starts near zero is shown from zero on, with room for the width of a line.
  if (low >= 0 && low <= 2 * air) return {-0.3 * air, high + air};
  return {low - air, high + air};
}

double crisp(double pixel) { return std::floor(pixel) + 0.5; }

double PlotFrame::xToPixel(double value) const {
  return rect.left() + (value - x.low) / x.span() * rect.width();
}

double PlotFrame::yToPixel(double value) const {
  const double share =
      logarithmic ? std::log(value / y.low) / std::log(y.high / y.low) : (value - y.low) / y.span();
  return rect.bottom() - share * rect.height();
}

double PlotFrame::pixelToX(double pixel) const {
  return x.low + (pixel - rect.left()) / rect.width() * x.span();
}

double PlotFrame::pixelToY(double pixel) const {
  const double share = (rect.bottom() - pixel) / rect.height();
  return logarithmic ? y.low * std::pow(y.high / y.low, share) : y.low + share * y.span();
}

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/axis_ticks.h"

#include <algorithm>
#include <cmath>

namespace tfm::ui {
namespace {

/// 1, 2 or 5 times a power of ten, so that about `count` of it fill the span.
double tickStep(double span, double count) {
  const double rough = span / std::max(count, 1.0);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double nice : {1.0, 2.0, 5.0})
    if (nice * power >= rough) return nice * power;
  return 10 * power;
}

}  // namespace

std::vector<double> linearTicks(const AxisRange& range, double count) {
  std::vector<double> ticks;
  const double step = tickStep(range.span(), count);
  // Whole multiples: a sum would gather rounding errors.
  for (double i = std::ceil(range.low / step); i * step <= range.high; ++i)
    ticks.push_back(i * step);
  return ticks;
}

std::vector<double> logarithmicTicks(const AxisRange& range, double count) {
  std::vector<double> ticks;
  const double first = std::log10(range.low), last = std::log10(range.high);
  const bool wide = 3 * (last - first) > count;
  const double stride = std::max(1.0, std::ceil((last - first) / std::max(count, 1.0)));
  for (double power = std::floor(first / stride) * stride; power <= last; power += stride)
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double tick = digit * std::pow(10.0, power);
      if ((digit == 1.0 || !wide) && tick >= range.low && tick <= range.high) ticks.push_back(tick);
    }
  // Five parts at least, as fewer can have a single multiple of 1, 2 or 5 in them.
  return ticks.size() < 2 ? linearTicks(range, std::max(count, 5.0)) : ticks;
}

}  // namespace tfm::ui

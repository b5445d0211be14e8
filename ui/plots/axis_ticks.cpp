// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/axis_ticks.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace tfm::ui {
namespace {

/// 1, 2 or 5 times a power of ten, so that about `count` of them fill the span.
double tickStep(double span, double count) {
  const double rough = span / std::max(count, 1.0);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double nice : {1.0, 2.0, 5.0})
    if (nice * power >= rough) return nice * power;
  return 10 * power;
}

/// The digits times every `stride`-th power of ten.
std::vector<double> decadeTicks(const AxisRange& range, int stride,
                                std::initializer_list<double> digits) {
  std::vector<double> ticks;
  const double first = std::floor(std::log10(range.low) / stride) * stride;
  for (double power = first; power <= std::log10(range.high); power += stride)
    for (const double digit : digits)
      if (const double tick = digit * std::pow(10.0, power);
          tick >= range.low && tick <= range.high)
        ticks.push_back(tick);
  return ticks;
}

}  // namespace

std::vector<double> linearTicks(const AxisRange& range, double count) {
  std::vector<double> ticks;
  const double step = tickStep(range.span(), count);
  // Multiples, since a running sum would accumulate rounding errors.
  for (double i = std::ceil(range.low / step); i * step <= range.high; ++i)
    ticks.push_back(i * step);
  return ticks;
}

std::vector<double> logarithmicTicks(const AxisRange& range, double count) {
  std::vector<double> ticks = decadeTicks(range, 1, {1.0, 2.0, 5.0});
  // At least five: with fewer, a range may contain a single multiple of 1, 2 or 5.
  if (ticks.size() < 2) return linearTicks(range, std::max(count, 5.0));
  for (int stride = 1; double(ticks.size()) > count; ++stride) {
    std::vector<double> fewer = decadeTicks(range, stride, {1.0});
    if (fewer.size() < 2) break;
    ticks = std::move(fewer);
  }
  return ticks;
}

}  // namespace tfm::ui

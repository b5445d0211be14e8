// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/portable_math.h"

#include <hwy/contrib/math/math-inl.h>

#include <cmath>
#include <limits>
#include <numbers>

HWY_BEFORE_NAMESPACE();
namespace tfm::portable {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using One = hn::CappedTag<double, 1>;

constexpr double kMostExponent = 700.0;
constexpr double kMostAngle = 30'000.0;

/// std::remainder() is exact.
double reduced(double x) {
  return std::abs(x) <= kMostAngle ? x : std::remainder(x, 2.0 * std::numbers::pi);
}

}  // namespace

double exp(double x) {
  if (!(std::abs(x) <= kMostExponent)) return std::exp(x);
  return hn::GetLane(hn::Exp(One(), hn::Set(One(), x)));
}

double log(double x) {
  if (!(x >= std::numeric_limits<double>::min() && x <= std::numeric_limits<double>::max()))
    return std::log(x);
  return hn::GetLane(hn::Log(One(), hn::Set(One(), x)));
}

double sin(double x) { return hn::GetLane(hn::Sin(One(), hn::Set(One(), reduced(x)))); }

double cos(double x) {
  if (x == 0.0) return 1.0;  // Highway's is one bit less
  return hn::GetLane(hn::Cos(One(), hn::Set(One(), reduced(x))));
}

double pow(double x, double y) { return y == 0.0 ? 1.0 : exp(y * log(x)); }

}  // namespace tfm::portable
HWY_AFTER_NAMESPACE();

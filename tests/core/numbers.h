// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/tensor/random.h"

namespace tfm::test {

/// Normal numbers of a stream.
inline std::vector<double> drawnNumbers(std::int64_t size, std::uint32_t stream) {
  std::vector<double> values(std::size_t(size), 0.0);
  const Random random(7, stream);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = random.normal(i);
  return values;
}

/// The largest difference; infinity if the sizes differ or a number is NaN.
inline double worstDifference(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (a.size() != b.size()) return kInfinity;
  double worst = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    worst = std::isnan(difference) ? kInfinity : std::max(worst, difference);
  }
  return worst;
}

}  // namespace tfm::test

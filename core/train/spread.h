// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace tfm::train {

/// Mean and sample standard deviation; the latter is 0 for a single number.
struct Spread {
  double mean = 0.0;
  double deviation = 0.0;
};

inline Spread spreadOf(const std::vector<double>& values) {
  Spread spread;
  for (const double value : values) spread.mean += value / double(values.size());
  if (values.size() < 2) return spread;
  double squares = 0.0;
  for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
  spread.deviation = std::sqrt(squares / double(values.size() - 1));
  return spread;
}

}  // namespace tfm::train

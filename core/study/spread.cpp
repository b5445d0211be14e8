// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/spread.h"

#include <Eigen/Core>
#include <cmath>

namespace tfm::train {

Spread spreadOf(const std::vector<double>& values) {
  if (values.empty()) return {};
  const Eigen::Map<const Eigen::ArrayXd> x(values.data(), std::ssize(values));
  const double mean = x.mean();
  if (x.size() < 2) return {mean};
  return {mean, std::sqrt((x - mean).square().sum() / double(x.size() - 1))};
}

}  // namespace tfm::train

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "core/tensor/matrix_view.h"
#include "core/tensor/portable_math.h"

namespace tfm {

/// softmax(x / temperature) of each row, row-major.
template <class Real>
std::vector<double> softmax(MatrixView<const Real> x, double temperature = 1.0) {
  std::vector<double> p;
  p.reserve(std::size_t(x.size()));
  for (std::int64_t r = 0; r < x.rows; ++r) {
    const std::span row(x.row(r), std::size_t(x.cols));
    const auto highest = double(*std::ranges::max_element(row));
    for (const Real each : row) p.push_back(portable::exp((double(each) - highest) / temperature));
    const auto first = p.end() - x.cols;
    const double sum = std::accumulate(first, p.end(), 0.0);
    std::for_each(first, p.end(), [&](double& share) { share /= sum; });
  }
  return p;
}
template <class Real>
std::vector<double> softmax(std::span<const Real> x, double temperature = 1.0) {
  return softmax<Real>({x.data(), 1, std::ssize(x)}, temperature);
}

}  // namespace tfm

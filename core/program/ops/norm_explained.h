// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

#include "core/backend/explanation.h"

namespace tfm::ops {

inline double inverseRoot(double x) { return 1.0 / std::sqrt(x); }

/// Explains layer norm over groups of `size` columns that weigh m = weightOf(column): inputs x,
/// gain and bias, outputs y and the statistics mean and scale of each group.
template <class Real, class WeightOf>
Explanation explainNorm(const OpCall<Real>& c, const StepNumber& of, std::int64_t size, double eps,
                        const WeightOf& weightOf) {
  using namespace explain;
  const auto x = c.in(0);
  const bool statistics = of.of == StepNumber::Of::Output && of.index == 1;
  const std::int64_t group = statistics ? of.col / 2 : of.col / size;
  const std::int64_t first = group * size, last = first + size;
  const StepNumber mean = out(1, of.row, 2 * group), scale = out(1, of.row, 2 * group + 1);
  double count = 0.0;
  for (std::int64_t j = first; j < last; ++j) count += weightOf(j);
  // (x - mean) of a cell, with the group's own statistics.
  const auto centred = [&](std::int64_t row, std::int64_t col) {
    return double(x.at(row, col)) - numberIn(c, out(1, row, col / size * 2));
  };

  if (!of.gradient && !statistics) {
    const double m = weightOf(of.col);
    const StepNumber gain = in(1, 0, of.col % size);
    Explanation e{"y[r, c] = m (x[r, c] - mean[r]) scale[r] gain[c] + m bias[c]"};
    product(e, c, m, {in(0, of.row, of.col), scale, gain});
    product(e, c, -m, {mean, scale, gain});
    if (c.in(2)) product(e, c, m, {in(2, 0, of.col % size)});
    return e;
  }
  if (!of.gradient && of.col % 2 == 0) {
    Explanation e{"mean[r] = sum_c m x[r, c] / sum_c m"};
    for (std::int64_t j = first; j < last; ++j)
      product(e, c, weightOf(j) / count, {in(0, of.row, j)});
    return e;
  }
  if (!of.gradient) {
    Explanation e{.formula = "scale[r] = 1 / sqrt(sum_c m (x[r, c] - mean[r])^2 / sum_c m + eps)",
                  .constant = eps,
                  .function = "1 / sqrt",
                  .apply = inverseRoot};
    for (std::int64_t j = first; j < last; ++j) {
      const double v = centred(of.row, j);
      e.terms.push_back({weightOf(j) * v * v / count, {in(0, of.row, j), mean}});
    }
    return e;
  }
  if (statistics) {
    const bool of_mean = of.col % 2 == 0;
    Explanation e{of_mean ? "dmean[r] = -sum_c m dy[r, c] gain[c] scale[r]"
                          : "dscale[r] = sum_c m dy[r, c] gain[c] (x[r, c] - mean[r])"};
    for (std::int64_t j = first; j < last; ++j) {
      const StepNumber dy = d(out(0, of.row, j)), gain = in(1, 0, j % size);
      if (of_mean)
        product(e, c, -weightOf(j), {dy, gain, scale});
      else
        e.terms.push_back({weightOf(j) * numberIn(c, dy) * numberIn(c, gain) * centred(of.row, j),
                           {dy, gain, in(0, of.row, j), mean}});
    }
    return e;
  }
  if (of.index == 0) {
    const double m = weightOf(of.col), s = numberIn(c, scale);
    const auto total = [&](const StepNumber& n) {
      return explainNorm(c, n, size, eps, weightOf).value();
    };
    Explanation e{
        "dx[r, c] = m (dy[r, c] gain[c] scale[r] + (dmean[r] - dscale[r] scale[r]^3 (x[r, c] - "
        "mean[r])) / sum_c m)"};
    product(e, c, m, {d(out(0, of.row, of.col)), in(1, 0, of.col % size), scale});
    e.terms.push_back({total(d(mean)) * m / count, {d(mean)}});
    e.terms.push_back({-total(d(scale)) * s * s * s * centred(of.row, of.col) * m / count,
                       {d(scale), scale, in(0, of.row, of.col), mean}});
    return e;
  }
  // A gain and a bias serve one column of each group.
  Explanation e{of.index == 1 ? "dgain[c] = sum_r m dy[r, c] (x[r, c] - mean[r]) scale[r]"
                              : "dbias[c] = sum_r m dy[r, c]"};
  for (std::int64_t r = 0; r < x.rows; ++r)
    for (std::int64_t j = of.col; j < x.cols; j += size) {
      const StepNumber dy = d(out(0, r, j));
      const StepNumber row_mean = out(1, r, j / size * 2), row_scale = out(1, r, j / size * 2 + 1);
      if (of.index == 2)
        product(e, c, weightOf(j), {dy});
      else
        e.terms.push_back({weightOf(j) * numberIn(c, dy) * centred(r, j) * numberIn(c, row_scale),
                           {dy, in(0, r, j), row_mean, row_scale}});
    }
  return e;
}

}  // namespace tfm::ops

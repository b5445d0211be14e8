// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

#include "core/program/ops/op_description.h"

namespace tfm::ops {

inline double inverseRoot(double x) { return 1.0 / std::sqrt(x); }

inline std::string normSentence(const StepReader& s) {
  const std::int64_t groups = s.out(1).cols / 2;
  return atEach(s.out()) +
         (groups > 1 ? counted(groups, "group") + " of " + numbers(s.out().cols / groups) + " are"
                     : numbers(s.out().cols) + " are") +
         " brought to mean 0 and deviation 1, then stretched and shifted by learned numbers";
}

/// The formulas of a norm's numbers.
struct NormFormulas {
  std::string_view y, mean, scale, dmean, dscale, dx, dgain, dbias;
};

/// Explains layer norm over groups of `size` columns that weigh m = weightOf(column): inputs x,
/// gain and bias, outputs y and the statistics mean and scale of each group.
template <class Real, class WeightOf>
Explanation explainNorm(const OpCall<Real>& c, const StepNumber& of, std::int64_t size, double eps,
                        const NormFormulas& formulas, const WeightOf& weightOf) {
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
    Explanation e{formulas.y};
    product(e, c, m, {in(0, of.row, of.col), scale, gain});
    product(e, c, -m, {mean, scale, gain});
    if (c.in(2)) product(e, c, m, {in(2, 0, of.col % size)});
    return e;
  }
  if (!of.gradient && of.col % 2 == 0) {
    Explanation e{formulas.mean};
    for (std::int64_t j = first; j < last; ++j)
      product(e, c, weightOf(j) / count, {in(0, of.row, j)});
    return e;
  }
  if (!of.gradient) {
    Explanation e{
        .formula = formulas.scale, .constant = eps, .function = "1 / sqrt", .apply = inverseRoot};
    for (std::int64_t j = first; j < last; ++j) {
      const double v = centred(of.row, j);
      e.terms.push_back({weightOf(j) * v * v / count, {in(0, of.row, j), mean}});
    }
    return e;
  }
  if (statistics) {
    const bool of_mean = of.col % 2 == 0;
    Explanation e{of_mean ? formulas.dmean : formulas.dscale};
    for (std::int64_t j = first; j < last; ++j) {
      const StepNumber dy = d(out(0, of.row, j)), gain = in(1, 0, j % size);
      if (of_mean)
        product(e, c, -weightOf(j), {dy, gain, scale});
      else
        product(e, c, weightOf(j) * centred(of.row, j), {dy, gain}, {in(0, of.row, j), mean});
    }
    return e;
  }
  if (of.index == 0) {
    const double m = weightOf(of.col), s = numberIn(c, scale);
    const auto total = [&](const StepNumber& n) {
      return explainNorm(c, n, size, eps, formulas, weightOf).value();
    };
    Explanation e{formulas.dx};
    product(e, c, m, {d(out(0, of.row, of.col)), in(1, 0, of.col % size), scale});
    e.terms.push_back(term(total(d(mean)) * m / count, m / count, {d(mean)}));
    const double factor = -s * s * s * centred(of.row, of.col) * m / count;
    e.terms.push_back(
        term(total(d(scale)) * factor, factor, {d(scale)}, {scale, in(0, of.row, of.col), mean}));
    return e;
  }
  // A gain and a bias serve one column of each group.
  Explanation e{of.index == 1 ? formulas.dgain : formulas.dbias};
  for (std::int64_t r = 0; r < x.rows; ++r)
    for (std::int64_t j = of.col; j < x.cols; j += size) {
      const StepNumber dy = d(out(0, r, j));
      const StepNumber row_mean = out(1, r, j / size * 2), row_scale = out(1, r, j / size * 2 + 1);
      if (of.index == 2)
        product(e, c, weightOf(j), {dy});
      else
        product(e, c, weightOf(j) * centred(r, j) * numberIn(c, row_scale), {dy},
                {in(0, r, j), row_mean, row_scale});
    }
  return e;
}

}  // namespace tfm::ops

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "core/backend/op.h"

namespace tfm {

/// One number of a step: of an input or output, or the derivative of the loss with respect to it.
struct StepNumber {
  enum class Of : std::uint8_t { Input, Output };
  Of of = Of::Output;
  std::size_t index = 0;  ///< of the input or output
  std::int64_t row = 0;
  std::int64_t col = 0;
  bool gradient = false;
};

/// A term of a number: its amount, and the numbers of the same step that it is computed from. The
/// amount is `factor` times the product of the first sources. The other sources are no factors: an
/// index says which number is read, and `factor` itself may be computed from others.
struct Contribution {
  double amount = 0.0;
  std::vector<StepNumber> sources;  ///< all numbers that the amount was computed from
  std::size_t factors = 0;          ///< how many of them, from the first on, it is the product of
  double factor = amount;
};

/// How a number follows from others: the terms are combined by the rule, and the function is
/// applied to the result. This gives the number itself, up to rounding.
struct Explanation {
  /// Sum: constant + the amounts. Share: the first amount as a part of the sum of all. Largest,
  /// Smallest: of the amounts.
  enum class Rule : std::uint8_t { Sum, Share, Largest, Smallest };

  /// For this number, in the symbols of the op's formula: "y[r, c] = sum_j x[r, j] W[c, j]".
  std::string_view formula;
  std::vector<Contribution> terms = {};
  double constant = 0.0;
  Rule rule = Rule::Sum;
  std::string_view function = {};  ///< its name; empty: none
  double (*apply)(double) = nullptr;

  /// The number.
  double value() const;
};

namespace explain {

inline StepNumber in(std::size_t index, std::int64_t row, std::int64_t col) {
  return {StepNumber::Of::Input, index, row, col};
}
inline StepNumber out(std::size_t index, std::int64_t row, std::int64_t col) {
  return {StepNumber::Of::Output, index, row, col};
}
/// The derivative of the loss with respect to a number.
inline StepNumber d(StepNumber number) {
  number.gradient = true;
  return number;
}

/// The number in a call, after a forward pass or, for gradients, after a backward pass. Absent ones
/// are 0.
template <class Real>
double numberIn(const OpCall<Real>& c, const StepNumber& n) {
  const auto at = [&](const auto& view) { return view ? double(view.at(n.row, n.col)) : 0.0; };
  if (n.of == StepNumber::Of::Output) {
    const auto& output = c.outputs[n.index];
    if (n.gradient) return at(output.gradient);
    return output.values ? at(output.values) : double(c.indices[std::size_t(n.row)]);
  }
  const auto& input = c.inputs[n.index];
  if (n.gradient) return at(input.gradient.sum);
  return input.ids.empty() ? at(input.values) : double(input.ids[std::size_t(n.row)]);
}

/// A term whose amount is a factor times a product of numbers. `read`: its other sources.
inline Contribution term(double amount, double factor, std::vector<StepNumber> factors,
                         const std::vector<StepNumber>& read = {}) {
  const std::size_t count = factors.size();
  factors.insert(factors.end(), read.begin(), read.end());
  return {amount, std::move(factors), count, factor};
}

/// Adds a term: a factor times the product of the sources, which the call has. `read`: its other
/// sources.
template <class Real>
void product(Explanation& e, const OpCall<Real>& c, double factor, std::vector<StepNumber> sources,
             const std::vector<StepNumber>& read = {}) {
  double amount = factor;
  for (const StepNumber& n : sources) amount *= numberIn(c, n);
  e.terms.push_back(term(amount, factor, std::move(sources), read));
}

}  // namespace explain

}  // namespace tfm

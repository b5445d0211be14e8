// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/explanation.h"

#include <algorithm>

namespace tfm {
namespace {

double combined(const Explanation& e) {
  const auto amounts = [](const Contribution& a, const Contribution& b) {
    return a.amount < b.amount;
  };
  switch (e.rule) {
    case Explanation::Rule::Largest:
      return std::ranges::max_element(e.terms, amounts)->amount;
    case Explanation::Rule::Smallest:
      return std::ranges::min_element(e.terms, amounts)->amount;
    case Explanation::Rule::Sum:
    case Explanation::Rule::Share:
      break;
  }
  double sum = e.constant;
  for (const Contribution& term : e.terms) sum += term.amount;
  return e.rule == Explanation::Rule::Share ? e.terms.front().amount / sum : sum;
}

}  // namespace

double Explanation::value() const {
  const double x = combined(*this);
  return apply == nullptr ? x : apply(x);
}

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <limits>

#include "core/program/ops/update_ops.h"

namespace tfm::ops {
namespace {

struct ClipFactorKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    double squares = 0.0;
    for (const double sum : c.sums) squares += sum;
    const double norm = std::sqrt(squares), limit = c.template get<double>();
    const MatrixView<Real> numbers = c.out(0);
    if (std::isfinite(norm) && std::isfinite(c.in(0).at(0, 0)))
      numbers.at(0, 0) = limit > 0.0 && norm > limit ? Real(limit / norm) : Real(1);
    else
      for (std::int64_t i = 0; i < numbers.cols; ++i)
        numbers.at(0, i) = std::numeric_limits<Real>::quiet_NaN();
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return std::int64_t(c.sums.size()) + 2;
  }
};

}  // namespace

const Op kClipFactor = makeForwardOp<ClipFactorKernels>(
    "clip factor", "factor = min(1, limit / norm), if loss and norm are finite", true);

}  // namespace tfm::ops

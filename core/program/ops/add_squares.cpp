// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/ops/update_ops.h"

namespace tfm::ops {
namespace {

struct AddSquaresKernels {
  /// Sequential, so that the sum does not depend on how the values are split into calls.
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const MatrixView<const Real> x = c.in(0);
    double sum = c.template get<bool>() ? 0.0 : c.sums[0];
    for (std::int64_t i = 0; i < x.cols; ++i) sum += double(x.data[i]) * double(x.data[i]);
    c.sums[0] = sum;
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return 2 * c.in(0).size();
  }
};

}  // namespace

const Op kAddSquares =
    makeForwardOp<AddSquaresKernels>("add squares", "sum = sum + sum_i x[i]^2", true);

}  // namespace tfm::ops

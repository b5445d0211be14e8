// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/program/ops/update_ops.h"

namespace tfm::ops {
namespace {

struct ArgmaxKernels {
  /// The first index of equal values.
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const MatrixView<const Real> x = c.in(0);
    for (std::int64_t r = 0; r < x.rows; ++r)
      c.indices[std::size_t(r)] =
          std::int32_t(std::max_element(x.row(r), x.row(r) + x.cols) - x.row(r));
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return c.in(0).size();
  }
};

}  // namespace

const Op kArgmax = makeForwardOp<ArgmaxKernels>("argmax", "index[r] = argmax_j x[r, j]");

}  // namespace tfm::ops

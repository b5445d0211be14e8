// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "core/program/ops/update_ops.h"
#include "core/tensor/eigen_map.h"

namespace tfm::ops {
namespace {

struct ScaleKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Real factor = c.in(0).at(0, 0);
    if (!std::isnan(factor) && factor != Real(1)) map(c.out(0)) *= factor;
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return c.out(0).size();
  }
};

}  // namespace

const Op kScale = makeForwardOp<ScaleKernels>("scale", "y = factor y", true);

}  // namespace tfm::ops

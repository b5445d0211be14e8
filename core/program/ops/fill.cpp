// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/ops/update_ops.h"
#include "core/tensor/eigen_map.h"

namespace tfm::ops {
namespace {

struct FillKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    map(c.out(0)).setConstant(Real(c.template get<double>()));
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>&) {
    return 0;
  }
};

}  // namespace

const Op kFill = makeForwardOp<FillKernels>("fill", "y = value");

}  // namespace tfm::ops

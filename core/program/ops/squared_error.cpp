// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/ops/ops.h"
#include "core/tensor/eigen_map.h"

namespace tfm::ops {
namespace {

struct SquaredErrorKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Real scale = Real(c.template get<SquaredErrorArguments>().scale);
    c.out(0).at(0, 0) = scale * (map(c.in(0)) - map(c.in(1))).squaredNorm();
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const auto dx = clearIfFresh(c.din(0));
    const Real scale = Real(c.template get<SquaredErrorArguments>().scale);
    if (dx) map(dx) += (Real(2) * scale * c.dout(0).at(0, 0)) * (map(c.in(0)) - map(c.in(1)));
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return 3 * c.in(0).size();
  }
};

}  // namespace

const Op kSquaredError =
    makeOp<SquaredErrorKernels>("squared error", "loss = scale * sum (x - target)^2");

TensorId squaredError(ProgramBuilder& b, const std::string& path, TensorId x, TensorId target,
                      double scale) {
  const TensorInfo t = b.tensor(x);
  check(b.tensor(target).rows == t.rows && b.tensor(target).cols == t.cols,
        "squared error: equal shapes");
  const TensorId loss = b.activation(path, 1, 1);
  b.append({&kSquaredError, path, {x, target}, {loss}, SquaredErrorArguments{scale}});
  return loss;
}

}  // namespace tfm::ops

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/program/ops/op_table.h"
#include "core/program/ops/ops.h"

namespace tfm {
namespace {

struct SquaredErrorKernels {
  template <class Real>
  static void forward(const StepContext<Real>& c) {
    c.backend.squaredError(c.out(0), c.in(0), c.in(1),
                           Real(c.template arguments<SquaredErrorArguments>().scale));
  }
  template <class Real>
  static void backward(const StepContext<Real>& c) {
    c.backend.squaredErrorBackward(c.inGradient(0), c.outGradient(0), c.in(0), c.in(1),
                                   Real(c.template arguments<SquaredErrorArguments>().scale));
  }
};

std::int64_t squaredErrorFlops(const Program& program, const Step& step) {
  const TensorInfo& x = program.tensors[std::size_t(step.inputs[0])];
  return 3 * x.rows * x.cols;
}

}  // namespace

OpDefinition squaredErrorOp() {
  return makeOp<SquaredErrorKernels>(Op::SquaredError, "squared error",
                                     "loss = scale * sum (x - target)^2", squaredErrorFlops);
}

namespace ops {

TensorId squaredError(ProgramBuilder& b, const std::string& path, TensorId x, TensorId target,
                      double scale) {
  const TensorInfo t = b.tensor(x);
  check(b.tensor(target).rows == t.rows && b.tensor(target).cols == t.cols,
        "squared error: a target an element");
  const TensorId loss = b.activation(path, 1, 1);
  b.append({Op::SquaredError, path, {x, target}, {loss}, SquaredErrorArguments{scale}});
  return loss;
}

}  // namespace ops

}  // namespace tfm

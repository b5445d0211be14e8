// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/program/ops/op_table.h"
#include "core/program/ops/ops.h"

namespace tfm {
namespace {

struct MeanPoolKernels {
  template <class Real>
  static void forward(const StepContext<Real>& c) {
    c.backend.meanPool(c.out(0), c.in(0), c.ids(1),
                       c.template arguments<SequenceArguments>().length);
  }
  template <class Real>
  static void backward(const StepContext<Real>& c) {
    c.backend.meanPoolBackward(c.inGradient(0), c.outGradient(0), c.ids(1),
                               c.template arguments<SequenceArguments>().length);
  }
};

std::int64_t meanPoolFlops(const Program& program, const Step& step) {
  const TensorInfo& x = program.tensors[std::size_t(step.inputs[0])];
  return 2 * x.rows * x.cols;
}

}  // namespace

OpDefinition meanPoolOp() {
  return makeOp<MeanPoolKernels>(Op::MeanPool, "mean pool",
                                 "y = mean of the positions that are not padding", meanPoolFlops);
}

namespace ops {

TensorId meanPool(ProgramBuilder& b, const std::string& path, TensorId x, TensorId pad,
                  std::int64_t length) {
  const TensorInfo t = b.tensor(x);
  check(b.tensor(pad).rows == t.rows && t.rows % length == 0, "mean pool: a pad flag a position");
  const TensorId y = b.activation(path, t.rows / length, t.cols);
  b.append({Op::MeanPool, path, {x, pad}, {y}, SequenceArguments{length}});
  return y;
}

}  // namespace ops

}  // namespace tfm

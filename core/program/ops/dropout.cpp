// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/program/ops/op_table.h"
#include "core/program/ops/ops.h"

namespace tfm {
namespace {

struct DropoutKernels {
  template <class Real>
  static void forward(const StepContext<Real>& c) {
    c.backend.dropout(c.out(0), c.in(0), c.dropout(c.template arguments<DropoutArguments>()));
  }
  template <class Real>
  static void backward(const StepContext<Real>& c) {
    c.backend.dropoutBackward(c.inGradient(0), c.outGradient(0),
                              c.dropout(c.template arguments<DropoutArguments>()));
  }
};

}  // namespace

OpDefinition dropoutOp() {
  return makeOp<DropoutKernels>(Op::Dropout, "dropout", "y = x * keep / (1 - rate)",
                                outputElements);
}

namespace ops {

TensorId dropout(ProgramBuilder& b, const std::string& path, TensorId x, double rate) {
  if (!b.training() || rate == 0.0) return x;
  const TensorInfo t = b.tensor(x);
  const TensorId y = b.activation(path, t.rows, t.cols);
  b.append({Op::Dropout,
            path,
            {x},
            {y},
            DropoutArguments{rate, b.nextDropoutStream(), t.rows / b.shape().sequences}});
  return y;
}

}  // namespace ops

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/program/ops/op_table.h"
#include "core/program/ops/ops.h"

namespace tfm {
namespace {

struct ActivationKernels {
  template <class Real>
  static void forward(const StepContext<Real>& c) {
    c.backend.activation(c.out(0), c.in(0), c.template arguments<Activation>());
  }
  template <class Real>
  static void backward(const StepContext<Real>& c) {
    c.backend.activationBackward(c.inGradient(0), c.outGradient(0), c.in(0),
                                 c.template arguments<Activation>());
  }
};

}  // namespace

OpDefinition activationOp() {
  return makeOp<ActivationKernels>(Op::Activation, "activation", "y = act(x)", outputElements);
}

namespace ops {

TensorId activation(ProgramBuilder& b, const std::string& path, TensorId x, Activation kind) {
  const TensorInfo t = b.tensor(x);
  const TensorId y = b.activation(path, t.rows, t.cols);
  b.append({Op::Activation, path, {x}, {y}, kind});
  return y;
}

}  // namespace ops

}  // namespace tfm

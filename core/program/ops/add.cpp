// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/program/ops/op_table.h"
#include "core/program/ops/ops.h"

namespace tfm {
namespace {

struct AddKernels {
  template <class Real>
  static void forward(const StepContext<Real>& c) {
    c.backend.add(c.out(0), c.in(0), c.in(1));
  }
  template <class Real>
  static void backward(const StepContext<Real>& c) {
    c.backend.addBackward(c.inGradient(0), c.inGradient(1), c.outGradient(0));
  }
};

}  // namespace

OpDefinition addOp() { return makeOp<AddKernels>(Op::Add, "add", "y = a + b", outputElements); }

namespace ops {

TensorId add(ProgramBuilder& b, const std::string& path, TensorId left, TensorId right) {
  const TensorInfo t = b.tensor(left);
  check(b.tensor(right).rows == t.rows && b.tensor(right).cols == t.cols, "add: equal shapes");
  const TensorId y = b.activation(path, t.rows, t.cols);
  b.append({Op::Add, path, {left, right}, {y}, {}});
  return y;
}

}  // namespace ops

}  // namespace tfm

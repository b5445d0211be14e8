// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/program/ops/op_table.h"
#include "core/program/ops/ops.h"

namespace tfm {
namespace {

struct GateKernels {
  template <class Real>
  static void forward(const StepContext<Real>& c) {
    c.backend.gate(c.out(0), c.in(0), c.in(1), c.in(2));
  }
  template <class Real>
  static void backward(const StepContext<Real>& c) {
    c.backend.gateBackward(c.inGradient(0), c.inGradient(1), c.inGradient(2), c.outGradient(0),
                           c.in(0), c.in(1), c.in(2));
  }
};

std::int64_t gateFlops(const Program& program, const Step& step) {
  return 3 * outputElements(program, step);
}

}  // namespace

OpDefinition gateOp() {
  return makeOp<GateKernels>(Op::Gate, "gate", "y = x + g (f - x)", gateFlops);
}

namespace ops {

TensorId gate(ProgramBuilder& b, const std::string& path, TensorId x, TensorId f, TensorId gate) {
  const TensorInfo t = b.tensor(x);
  check(b.tensor(f).rows == t.rows && b.tensor(f).cols == t.cols, "gate: equal shapes");
  check(b.tensor(gate).rows == 1 && b.tensor(gate).cols == 1, "gate: one number");
  const TensorId y = b.activation(path, t.rows, t.cols);
  b.append({Op::Gate, path, {x, f, gate}, {y}, {}});
  return y;
}

}  // namespace ops

}  // namespace tfm

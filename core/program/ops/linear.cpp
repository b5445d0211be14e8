// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/program/ops/op_table.h"
#include "core/program/ops/ops.h"

namespace tfm {
namespace {

struct LinearKernels {
  template <class Real>
  static void forward(const StepContext<Real>& c) {
    c.backend.linear(c.out(0), c.in(0), c.in(1), c.in(2));
  }
  template <class Real>
  static void backward(const StepContext<Real>& c) {
    c.backend.linearBackward(c.inGradient(0), c.inGradient(1), c.inGradient(2), c.outGradient(0),
                             c.in(0), c.in(1));
  }
};

std::int64_t linearFlops(const Program& program, const Step& step) {
  const TensorInfo& w = program.tensors[std::size_t(step.inputs[1])];
  const std::int64_t rows = program.tensors[std::size_t(step.outputs[0])].rows;
  return rows * (2 * w.rows * w.cols + (step.inputs[2] == kNoTensor ? 0 : w.rows));
}

}  // namespace

OpDefinition linearOp() {
  return makeOp<LinearKernels>(Op::Linear, "linear", "y = x W^T + b", linearFlops);
}

namespace ops {

TensorId linear(ProgramBuilder& b, const std::string& path, TensorId x, TensorId weight,
                TensorId bias) {
  const TensorInfo w = b.tensor(weight);
  check(b.tensor(x).cols == w.cols, "linear: the input is as wide as the weight's columns");
  check(bias == kNoTensor || b.tensor(bias).cols == w.rows, "linear: one bias an output");
  const TensorId y = b.activation(path, b.tensor(x).rows, w.rows);
  b.append({Op::Linear, path, {x, weight, bias}, {y}, {}});
  return y;
}

}  // namespace ops

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/program/ops/op_table.h"
#include "core/program/ops/ops.h"

namespace tfm {
namespace {

struct RmsNormKernels {
  template <class Real>
  static void forward(const StepContext<Real>& c) {
    c.backend.rmsNorm(c.out(0), c.out(1), c.in(0), c.in(1),
                      Real(c.template arguments<NormArguments>().eps));
  }
  template <class Real>
  static void backward(const StepContext<Real>& c) {
    c.backend.rmsNormBackward(c.inGradient(0), c.inGradient(1), c.outGradient(0), c.in(0), c.in(1),
                              c.out(1));
  }
};

std::int64_t rmsNormFlops(const Program& program, const Step& step) {
  return 4 * outputElements(program, step);
}

}  // namespace

OpDefinition rmsNormOp() {
  return makeOp<RmsNormKernels>(Op::RmsNorm, "RMS norm", "y = x / sqrt(mean(x^2) + eps) * gain",
                                rmsNormFlops);
}

namespace ops {

TensorId rmsNorm(ProgramBuilder& b, const std::string& path, TensorId x, TensorId gain,
                 double eps) {
  const TensorInfo t = b.tensor(x);
  check(b.tensor(gain).cols == t.cols, "RMS norm: one gain a column");
  const TensorId y = b.activation(path, t.rows, t.cols);
  const TensorId saved = b.activation(path + ".statistics", t.rows, 1);
  b.append({Op::RmsNorm, path, {x, gain}, {y, saved}, NormArguments{eps}});
  return y;
}

}  // namespace ops

}  // namespace tfm

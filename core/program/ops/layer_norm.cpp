// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/program/ops/op_table.h"
#include "core/program/ops/ops.h"

namespace tfm {
namespace {

struct LayerNormKernels {
  template <class Real>
  static void forward(const StepContext<Real>& c) {
    c.backend.layerNorm(c.out(0), c.out(1), c.in(0), c.in(1), c.in(2),
                        Real(c.template arguments<NormArguments>().eps));
  }
  template <class Real>
  static void backward(const StepContext<Real>& c) {
    c.backend.layerNormBackward(c.inGradient(0), c.inGradient(1), c.inGradient(2), c.outGradient(0),
                                c.in(0), c.in(1), c.out(1));
  }
};

std::int64_t layerNormFlops(const Program& program, const Step& step) {
  return 8 * outputElements(program, step);
}

}  // namespace

OpDefinition layerNormOp() {
  return makeOp<LayerNormKernels>(Op::LayerNorm, "layer norm",
                                  "y = (x - mean(x)) / sqrt(variance(x) + eps) * gain + bias",
                                  layerNormFlops);
}

namespace ops {

TensorId layerNorm(ProgramBuilder& b, const std::string& path, TensorId x, TensorId gain,
                   TensorId bias, double eps) {
  const TensorInfo t = b.tensor(x);
  check(b.tensor(gain).cols == t.cols, "layer norm: one gain a column");
  const TensorId y = b.activation(path, t.rows, t.cols);
  const TensorId saved = b.activation(path + ".statistics", t.rows, 2);
  b.append({Op::LayerNorm, path, {x, gain, bias}, {y, saved}, NormArguments{eps}});
  return y;
}

}  // namespace ops

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/program/ops/op_table.h"
#include "core/program/ops/ops.h"

namespace tfm {
namespace {

struct MaskedLayerNormKernels {
  template <class Real>
  static void forward(const StepContext<Real>& c) {
    const auto& a = c.template arguments<MaskedNormArguments>();
    c.backend.maskedLayerNorm(c.out(0), c.out(1), c.in(0), c.in(1), c.in(2), Real(a.eps),
                              c.mask(a));
  }
  template <class Real>
  static void backward(const StepContext<Real>& c) {
    c.backend.maskedLayerNormBackward(c.inGradient(0), c.inGradient(1), c.inGradient(2),
                                      c.outGradient(0), c.in(0), c.in(1), c.out(1),
                                      c.mask(c.template arguments<MaskedNormArguments>()));
  }
};

std::int64_t maskedLayerNormFlops(const Program& program, const Step& step) {
  return 9 * outputElements(program, step);
}

}  // namespace

OpDefinition maskedLayerNormOp() {
  return makeOp<MaskedLayerNormKernels>(
      Op::MaskedLayerNorm, "masked layer norm",
      "y = m ((x - mean_m(x)) / sqrt(variance_m(x) + eps) * gain + bias)", maskedLayerNormFlops);
}

namespace ops {

TensorId maskedLayerNorm(ProgramBuilder& b, const std::string& path, TensorId x, TensorId gain,
                         TensorId bias, const MaskedNormArguments& mask) {
  const TensorInfo t = b.tensor(x);
  check(b.tensor(gain).cols == t.cols, "masked layer norm: one gain a column");
  check(mask.size >= 1 && mask.size <= t.cols && mask.steps >= 1,
        "masked layer norm: the mask lies inside the columns");
  const TensorId y = b.activation(path, t.rows, t.cols);
  const TensorId saved = b.activation(path + ".statistics", t.rows, 2);
  b.append({Op::MaskedLayerNorm, path, {x, gain, bias}, {y, saved}, mask});
  return y;
}

}  // namespace ops

}  // namespace tfm

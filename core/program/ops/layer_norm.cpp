// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#define HWY_TARGET_INCLUDE "core/program/ops/layer_norm.cpp"
#include <hwy/foreach_target.h>  // comes before highway.h

#include "core/backend/cpu/norm_rows.h"
#include "core/backend/cpu/target.h"
#include "core/backend/cpu/tile_product.h"
#include "core/program/ops/ops.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::ops::HWY_NAMESPACE {
namespace {

using namespace cpu::HWY_NAMESPACE;

template <class Real>
Real rowSum(const Real* x, std::int64_t cols) {
  Lane<Real> sum = allOf(Real(0));
  overRow<Real>(cols, [&](auto j, auto left) { sum = hn::Add(sum, loadSome(x + j, left)); });
  return sumOf<Real>(sum);
}

struct LayerNormKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto x = c.in(0), gain = c.in(1), bias = c.in(2);
    const auto y = c.out(0), saved = c.out(1);
    const Real eps = Real(c.template get<NormArguments>().eps);
    const auto cols = Real(x.cols);
    for (std::int64_t r = 0; r < x.rows; ++r) {
      const Real* in = x.row(r);
      Real* out = y.row(r);
      const Real mean = rowSum(in, x.cols) / cols;
      const Lane<Real> means = allOf(mean);
      const auto centred = [&](std::int64_t j, std::int64_t left) {
        return hn::Sub(loadSome(in + j, left),
                       left >= kTile<Real> ? means : firstOf<Real>(means, left));
      };
      Lane<Real> squares = allOf(Real(0));
      overRow<Real>(x.cols, [&](auto j, auto left) {
        const Lane<Real> value = centred(j, left);
        squares = hn::MulAdd(value, value, squares);
      });
      const Real scale = Real(1) / std::sqrt(sumOf<Real>(squares) / cols + eps);
      const Lane<Real> scales = allOf(scale);
      overRow<Real>(x.cols, [&](auto j, auto left) {
        const Lane<Real> n = hn::Mul(centred(j, left), scales);
        const Lane<Real> shift = bias ? loadSome(bias.data + j, left) : allOf(Real(0));
        storeSome(out + j, hn::MulAdd(n, loadSome(gain.data + j, left), shift), left);
      });
      saved.at(r, 0) = mean;
      saved.at(r, 1) = scale;
    }
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    // n = (x - mean) * scale;  y = n * gain + bias
    const auto dx = c.din(0);
    const auto dy = c.dout(0), x = c.in(0), gain = c.in(1);
    const auto saved = c.out(1);
    Real* dgain = clearIfFresh(c.din(1)).data;
    for (std::int64_t r = 0; r < x.rows; ++r)
      rowBackward(rowOrNull(dx.sum, r), dx.fresh, dgain, dy.row(r), x.row(r), gain.data, x.cols,
                  saved.at(r, 0), saved.at(r, 1), true);
    if (c.din(2)) addRows<Real>(clearIfFresh(c.din(2)), dy);
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return 8 * c.out(0).size();
  }
};

Op layerNormOp() {
  return makeOp<LayerNormKernels>("layer norm",
                                  "y = (x - mean(x)) / sqrt(variance(x) + eps) * gain + bias");
}

}  // namespace
}  // namespace tfm::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tfm::ops {

HWY_EXPORT(layerNormOp);
// Normalizes each row (Ba et al. 2016); an empty bias is zero. Saves mean and
// 1 / sqrt(variance + eps).
const Op kLayerNorm = cpu::onChosenTarget([] { return HWY_DYNAMIC_DISPATCH(layerNormOp)(); });

TensorId layerNorm(ProgramBuilder& b, const std::string& path, TensorId x, TensorId gain,
                   TensorId bias, double eps) {
  const TensorInfo t = b.tensor(x);
  check(b.tensor(gain).cols == t.cols, "layer norm: one gain per column");
  const TensorId y = b.activation(path, t.rows, t.cols);
  const TensorId saved = b.activation(path + ".statistics", t.rows, 2);
  b.append({&kLayerNorm, path, {x, gain, bias}, {y, saved}, NormArguments{eps}});
  return y;
}

}  // namespace tfm::ops
#endif

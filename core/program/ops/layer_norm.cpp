// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#define HWY_TARGET_INCLUDE "core/program/ops/layer_norm.cpp"
#include <hwy/foreach_target.h>  // comes before highway.h

#include "core/backend/cpu/norm_rows.h"
#include "core/backend/cpu/target.h"
#include "core/backend/cpu/tile_product.h"
#include "core/program/ops/norm_explained.h"
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
    const std::int64_t size = gain.cols;
    for (std::int64_t r = 0; r < x.rows; ++r)
      for (std::int64_t group = 0; group * size < x.cols; ++group) {
        const Real* in = x.row(r) + group * size;
        Real* out = y.row(r) + group * size;
        const Real mean = rowSum(in, size) / Real(size);
        const Lane<Real> means = allOf(mean);
        const auto centred = [&](std::int64_t j, std::int64_t left) {
          return hn::Sub(loadSome(in + j, left),
                         left >= kTile<Real> ? means : firstOf<Real>(means, left));
        };
        Lane<Real> squares = allOf(Real(0));
        overRow<Real>(size, [&](auto j, auto left) {
          const Lane<Real> value = centred(j, left);
          squares = hn::MulAdd(value, value, squares);
        });
        const Real scale = Real(1) / std::sqrt(sumOf<Real>(squares) / Real(size) + eps);
        const Lane<Real> scales = allOf(scale);
        overRow<Real>(size, [&](auto j, auto left) {
          const Lane<Real> n = hn::Mul(centred(j, left), scales);
          const Lane<Real> shift = bias ? loadSome(bias.data + j, left) : allOf(Real(0));
          storeSome(out + j, hn::MulAdd(n, loadSome(gain.data + j, left), shift), left);
        });
        saved.at(r, 2 * group) = mean;
        saved.at(r, 2 * group + 1) = scale;
      }
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    // n = (x - mean) * scale;  y = n * gain + bias
    const auto dx = c.din(0), dbias = c.din(2);
    const auto dy = c.dout(0), x = c.in(0), gain = c.in(1);
    const auto saved = c.out(1);
    const std::int64_t size = gain.cols;
    Real* dgain = clearIfFresh(c.din(1)).data;
    for (std::int64_t r = 0; r < x.rows; ++r)
      for (std::int64_t group = 0; group * size < x.cols; ++group) {
        const std::int64_t first = group * size;
        rowBackward(dx ? dx.sum.row(r) + first : nullptr, dx.fresh, dgain, dy.row(r) + first,
                    x.row(r) + first, gain.data, size, saved.at(r, 2 * group),
                    saved.at(r, 2 * group + 1), true);
      }
    if (!dbias) return;
    clearIfFresh(dbias);
    for (std::int64_t first = 0; first < dy.cols; first += size)
      addRows<Real>(dbias.sum, dy.colsFrom(first, size));
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
namespace {

using namespace explain;

struct LayerNormExplained {
  static constexpr std::string_view kOutputs = "y mean*|scale*", kInputs = "x gain bias";
  static std::string sentence(const StepReader& s) { return normSentence(s); }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    static constexpr NormFormulas kFormulas{
        .y = "y[r, c] = (x[r, c] - mean[r]) scale[r] gain[c] + bias[c]",
        .mean = "mean[r] = sum_c x[r, c] / columns",
        .scale = "scale[r] = 1 / sqrt(sum_c (x[r, c] - mean[r])^2 / columns + eps)",
        .dmean = "dmean[r] = -sum_c dy[r, c] gain[c] scale[r]",
        .dscale = "dscale[r] = sum_c dy[r, c] gain[c] (x[r, c] - mean[r])",
        .dx =
            "dx[r, c] = (dy[r, c] gain[c] scale[r] + (dmean[r] - dscale[r] scale[r]^3 (x[r, c] - "
            "mean[r])) / columns)",
        .dgain = "dgain[c] = sum_r dy[r, c] (x[r, c] - mean[r]) scale[r]",
        .dbias = "dbias[c] = sum_r dy[r, c]"};
    return explainNorm(c, of, c.in(1).cols, c.template get<NormArguments>().eps, kFormulas,
                       [](std::int64_t) { return 1.0; });
  }
};

}  // namespace

// Over each row (Ba et al. 2016), or over each group of as many columns as there are gains, which
// all groups share (Mehta et al. 2021, official code); an empty bias counts as zero. Saves mean and
// 1 / sqrt(variance + eps) of each.
const Op kLayerNorm = explained<LayerNormExplained>(
    cpu::onTargets([](KernelSet) { return HWY_DYNAMIC_DISPATCH(layerNormOp)(); }), OpKind::Norm);

TensorId layerNorm(ProgramBuilder& b, const std::string& path, TensorId x, TensorId gain,
                   TensorId bias, double eps) {
  const TensorInfo t = b.tensor(x);
  const std::int64_t size = b.tensor(gain).cols;
  check(t.cols % size == 0, "layer norm: one gain a column, or a column of each group");
  check(bias == kNoTensor || b.tensor(bias).cols == size, "layer norm: as many biases as gains");
  const TensorId y = b.activation(path, t.rows, t.cols);
  const TensorId saved = b.activation(path + ".statistics", t.rows, 2 * (t.cols / size));
  b.append({&kLayerNorm, path, {x, gain, bias}, {y, saved}, NormArguments{eps}});
  return y;
}

}  // namespace tfm::ops
#endif

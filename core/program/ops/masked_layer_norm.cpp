// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>

#include "core/backend/cpu/target.h"
#include "core/program/ops/norm_explained.h"
#include "core/program/ops/ops.h"
#include "core/tensor/eigen_map.h"

namespace tfm::ops {
namespace {

template <class Real>
using RowMap = Eigen::Map<Eigen::Array<Real, 1, Eigen::Dynamic>>;
template <class Real>
using ConstRowMap = Eigen::Map<const Eigen::Array<Real, 1, Eigen::Dynamic>>;

/// Adjacent columns of equal weight.
template <class Real>
struct Part {
  std::int64_t first;
  std::int64_t count;
  Real weight;

  ConstRowMap<Real> of(const Real* row) const { return {row + first, count}; }
  RowMap<Real> of(Real* row) const { return {row + first, count}; }
};

template <class Real>
std::array<Part<Real>, 2> partsOf(std::int64_t cols, std::int64_t full, double weight) {
  return {{{0, full, Real(1)}, {full, cols - full, Real(weight)}}};
}

/// sum(m)
template <class Real>
Real countOf(const std::array<Part<Real>, 2>& parts) {
  Real count = 0;
  for (const Part<Real>& p : parts) count += p.weight * Real(p.count);
  return count;
}

/// At weight 1: layer norm, bit for bit.
template <class Real>
void runPlain(void (*direction)(const OpCall<Real>&), OpCall<Real> c) {
  const std::any arguments = NormArguments{c.template get<MaskedNormArguments>().eps};
  c.op = &kLayerNorm;
  c.arguments = &arguments;
  direction(c);
}

template <KernelSet set>
struct MaskedLayerNormKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto& a = c.template get<MaskedNormArguments>();
    const double weight = a.weightAt(*c.position);
    if (weight == 1.0) return runPlain(kLayerNorm.kernels<Real>(set).forward, c);
    const auto x = c.in(0), gain = c.in(1), bias = c.in(2);
    const auto y = c.out(0), saved = c.out(1);
    const Real eps = Real(a.eps);
    const auto parts = partsOf<Real>(x.cols, a.size, weight);
    const Real count = countOf(parts);
    for (std::int64_t r = 0; r < x.rows; ++r) {
      Real mean = 0;
      for (const auto& p : parts) mean += p.weight * p.of(x.row(r)).sum();
      mean /= count;
      Real variance = 0;
      for (const auto& p : parts) variance += p.weight * (p.of(x.row(r)) - mean).square().sum();
      variance /= count;
      const Real scale = Real(1) / std::sqrt(variance + eps);
      for (const auto& p : parts) {
        auto out = p.of(y.row(r));
        out = (p.of(x.row(r)) - mean) * scale * p.of(gain.data);
        if (bias) out += p.of(bias.data);
        out *= p.weight;
      }
      saved.at(r, 0) = mean;
      saved.at(r, 1) = scale;
    }
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const auto& a = c.template get<MaskedNormArguments>();
    const double weight = a.weightAt(*c.position);
    if (weight == 1.0) return runPlain(kLayerNorm.kernels<Real>(set).backward, c);
    const auto dx = clearIfFresh(c.din(0)), dgain = clearIfFresh(c.din(1)),
               dbias = clearIfFresh(c.din(2));
    const auto dy = c.dout(0), x = c.in(0), gain = c.in(1);
    const auto saved = c.out(1);
    const auto parts = partsOf<Real>(x.cols, a.size, weight);
    const Real count = countOf(parts);
    // n = (x - mean) * scale;  y = m (n * gain + bias);  dn = m dy * gain
    // dx = scale * (dn - m (sum(dn) + n * sum(dn * n)) / sum(m))
    for (std::int64_t r = 0; r < x.rows; ++r) {
      const Real mean = saved.at(r, 0), scale = saved.at(r, 1);
      const auto normal = [&](const auto& p) { return (p.of(x.row(r)) - mean) * scale; };
      const auto dnormal = [&](const auto& p) {
        return p.of(dy.row(r)) * p.of(gain.data) * p.weight;
      };
      Real sum_dn = 0, sum_dn_n = 0;
      for (const auto& p : parts) {
        sum_dn += dnormal(p).sum();
        sum_dn_n += (dnormal(p) * normal(p)).sum();
        if (dgain) p.of(dgain.data) += p.of(dy.row(r)) * normal(p) * p.weight;
        if (dbias) p.of(dbias.data) += p.of(dy.row(r)) * p.weight;
      }
      if (!dx) continue;
      for (const auto& p : parts)
        p.of(dx.row(r)) +=
            scale * (dnormal(p) - (sum_dn + normal(p) * sum_dn_n) * (p.weight / count));
    }
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return 9 * c.out(0).size();
  }
};

template <KernelSet set>
Op maskedLayerNormFor() {
  return makeOp<MaskedLayerNormKernels<set>>(
      "masked layer norm", "y = m ((x - mean_m(x)) / sqrt(variance_m(x) + eps) * gain + bias)");
}

using namespace explain;

struct MaskedLayerNormExplained {
  static constexpr std::string_view kOutputs = "y mean*|scale*", kInputs = "x gain bias";
  static std::string sentence(const StepReader& s) {
    return normSentence(s) + "; only the first " +
           std::to_string(s.get<MaskedNormArguments>().size) + " count fully so far";
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const auto& a = c.template get<MaskedNormArguments>();
    const double weight = a.weightAt(*c.position);
    static constexpr NormFormulas kFormulas{
        .y = "y[r, c] = m (x[r, c] - mean[r]) scale[r] gain[c] + m bias[c]",
        .mean = "mean[r] = sum_c m x[r, c] / sum_c m",
        .scale = "scale[r] = 1 / sqrt(sum_c m (x[r, c] - mean[r])^2 / sum_c m + eps)",
        .dmean = "dmean[r] = -sum_c m dy[r, c] gain[c] scale[r]",
        .dscale = "dscale[r] = sum_c m dy[r, c] gain[c] (x[r, c] - mean[r])",
        .dx =
            "dx[r, c] = m (dy[r, c] gain[c] scale[r] + (dmean[r] - dscale[r] scale[r]^3 (x[r, c] "
            "- mean[r])) / sum_c m)",
        .dgain = "dgain[c] = sum_r m dy[r, c] (x[r, c] - mean[r]) scale[r]",
        .dbias = "dbias[c] = sum_r m dy[r, c]"};
    return explainNorm(c, of, c.in(0).cols, a.eps, kFormulas,
                       [&](std::int64_t col) { return col < a.size ? 1.0 : weight; });
  }
};

}  // namespace

// Layer norm with weighted columns (Yao et al. 2024): m = 1 for the first ones and the weight of
// MaskedNormArguments for the others; mean_m(x) = sum(m x) / sum(m), and the same for the variance.
const Op kMaskedLayerNorm = explained<MaskedLayerNormExplained>(
    cpu::onTargets([](KernelSet set) {
      return set == KernelSet::Fixed ? maskedLayerNormFor<KernelSet::Fixed>()
                                     : maskedLayerNormFor<KernelSet::Fastest>();
    }),
    OpKind::Norm);

TensorId maskedLayerNorm(ProgramBuilder& b, const std::string& path, TensorId x, TensorId gain,
                         TensorId bias, const MaskedNormArguments& mask) {
  const TensorInfo t = b.tensor(x);
  check(b.tensor(gain).cols == t.cols, "masked layer norm: one gain per column");
  check(mask.size >= 1 && mask.size <= t.cols && mask.steps >= 1,
        "masked layer norm: the mask lies inside the columns");
  const TensorId y = b.activation(path, t.rows, t.cols);
  const TensorId saved = b.activation(path + ".statistics", t.rows, 2);
  b.append({&kMaskedLayerNorm, path, {x, gain, bias}, {y, saved}, mask});
  return y;
}

}  // namespace tfm::ops

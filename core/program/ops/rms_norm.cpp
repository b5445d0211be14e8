// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#define HWY_TARGET_INCLUDE "core/program/ops/rms_norm.cpp"
#include <hwy/foreach_target.h>  // comes before highway.h

#include "core/backend/cpu/norm_rows.h"
#include "core/backend/cpu/target.h"
#include "core/program/ops/norm_explained.h"
#include "core/program/ops/ops.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::ops::HWY_NAMESPACE {
namespace {

using namespace cpu::HWY_NAMESPACE;

template <class Real>
Real rowSquares(const Real* x, std::int64_t cols) {
  Lane<Real> sum = allOf(Real(0));
  overRow<Real>(cols, [&](auto j, auto left) {
    const Lane<Real> value = loadSome(x + j, left);
    sum = hn::MulAdd(value, value, sum);
  });
  return sumOf<Real>(sum);
}

struct RmsNormKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto x = c.in(0), gain = c.in(1);
    const auto y = c.out(0), saved = c.out(1);
    const Real eps = Real(c.template get<NormArguments>().eps);
    const std::int64_t size = gain.cols;
    for (std::int64_t r = 0; r < x.rows; ++r)
      for (std::int64_t group = 0; group * size < x.cols; ++group) {
        const Real* in = x.row(r) + group * size;
        Real* out = y.row(r) + group * size;
        const Real scale = Real(1) / std::sqrt(rowSquares(in, size) / Real(size) + eps);
        const Lane<Real> scales = allOf(scale);
        overRow<Real>(size, [&](auto j, auto left) {
          const Lane<Real> n = hn::Mul(loadSome(in + j, left), scales);
          storeSome(out + j, hn::Mul(n, loadSome(gain.data + j, left)), left);
        });
        saved.at(r, group) = scale;
      }
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    // n = x * scale;  y = n * gain
    const auto dx = c.din(0);
    const auto dy = c.dout(0), x = c.in(0), gain = c.in(1);
    const auto saved = c.out(1);
    Real* dgain = clearIfFresh(c.din(1)).data;
    const std::int64_t size = gain.cols;
    for (std::int64_t r = 0; r < x.rows; ++r)
      for (std::int64_t group = 0; group * size < x.cols; ++group) {
        const std::int64_t first = group * size;
        rowBackward(dx ? dx.sum.row(r) + first : nullptr, dx.fresh, dgain, dy.row(r) + first,
                    x.row(r) + first, gain.data, size, Real(0), saved.at(r, group), false);
      }
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return 4 * c.out(0).size();
  }
};

Op rmsNormOp() {
  return makeOp<RmsNormKernels>("RMS norm", "y = x / sqrt(mean(x^2) + eps) * gain");
}

}  // namespace
}  // namespace tfm::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tfm::ops {

HWY_EXPORT(rmsNormOp);
namespace {

using namespace explain;

struct RmsNormExplained {
  static constexpr std::string_view kOutputs = "y scale*", kInputs = "x gain";
  static std::string sentence(const StepReader& s) {
    const std::int64_t groups = s.out(1).cols;
    return atEach(s.out()) +
           (groups > 1 ? counted(groups, "group") + " of " + numbers(s.out().cols / groups)
                       : numbers(s.out().cols)) +
           " are brought to mean square 1" +
           (s.in(1).role == Role::Constant ? "" : ", then stretched by learned numbers");
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const auto x = c.in(0);
    const std::int64_t size = c.in(1).cols;
    const bool statistics = of.of == StepNumber::Of::Output && of.index == 1;
    const std::int64_t group = statistics ? of.col : of.col / size;
    const std::int64_t first = group * size, last = first + size;
    const StepNumber scale = out(1, of.row, group), gain = in(1, 0, of.col % size);
    if (!of.gradient && of.index == 0) {
      Explanation e{"y[r, c] = x[r, c] scale[r] gain[c]"};
      product(e, c, 1, {in(0, of.row, of.col), scale, gain});
      return e;
    }
    if (!of.gradient) {
      Explanation e{.formula = "scale[r] = 1 / sqrt(mean_c x[r, c]^2 + eps)",
                    .constant = c.template get<NormArguments>().eps,
                    .function = "1 / sqrt",
                    .apply = inverseRoot};
      for (std::int64_t j = first; j < last; ++j)
        e.terms.push_back(
            {double(x.at(of.row, j)) * double(x.at(of.row, j)) / double(size), {in(0, of.row, j)}});
      return e;
    }
    if (statistics) {
      Explanation e{"dscale[r] = sum_c dy[r, c] gain[c] x[r, c]"};
      for (std::int64_t j = first; j < last; ++j)
        product(e, c, 1, {d(out(0, of.row, j)), in(1, 0, j % size), in(0, of.row, j)});
      return e;
    }
    if (of.index == 1) {
      // A gain serves one column of each group.
      Explanation e{"dgain[c] = sum_r dy[r, c] x[r, c] scale[r]"};
      for (std::int64_t r = 0; r < x.rows; ++r)
        for (std::int64_t j = of.col; j < x.cols; j += size)
          product(e, c, 1, {d(out(0, r, j)), in(0, r, j), out(1, r, j / size)});
      return e;
    }
    Explanation e{"dx[r, c] = dy[r, c] gain[c] scale[r] - dscale[r] scale[r]^3 x[r, c] / columns"};
    product(e, c, 1, {d(out(0, of.row, of.col)), gain, scale});
    const StepNumber dscale = d(scale);
    const double s = numberIn(c, scale);
    const double factor = -s * s * s * double(x.at(of.row, of.col)) / double(size);
    e.terms.push_back(term(explain(c, dscale).value() * factor, factor, {dscale},
                           {scale, in(0, of.row, of.col)}));
    return e;
  }
};

}  // namespace

// Normalizes each row (Zhang and Sennrich 2019), or each group of as many columns as there are
// gains, which all groups share. Saves 1 / sqrt(mean(x^2) + eps) of each.
const Op kRmsNorm = explained<RmsNormExplained>(
    cpu::onTargets([](KernelSet) { return HWY_DYNAMIC_DISPATCH(rmsNormOp)(); }), OpKind::Norm);

TensorId rmsNorm(ProgramBuilder& b, const std::string& path, TensorId x, TensorId gain,
                 double eps) {
  const TensorInfo t = b.tensor(x);
  const std::int64_t size = b.tensor(gain).cols;
  check(t.cols % size == 0, "RMS norm: one gain a column, or a column of each group");
  const TensorId y = b.activation(path, t.rows, t.cols);
  const TensorId saved = b.activation(path + ".statistics", t.rows, t.cols / size);
  b.append({&kRmsNorm, path, {x, gain}, {y, saved}, NormArguments{eps}});
  return y;
}

}  // namespace tfm::ops
#endif

// SPDX-License-Identifier: GPL-3.0-or-later
#define HWY_TARGET_INCLUDE "core/program/ops/adam.cpp"
#include <hwy/foreach_target.h>  // comes before highway.h

#include <cmath>

#include "core/backend/cpu/target.h"
#include "core/backend/cpu/vectors.h"
#include "core/program/ops/op_description.h"
#include "core/program/ops/update_ops.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::ops::HWY_NAMESPACE {
namespace {

using namespace cpu::HWY_NAMESPACE;

struct AdamKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto& rule = c.template get<AdamRule>();
    const auto all = [](double value) { return allOf(Real(value)); };
    const Real* numbers = c.in(1).data;
    if (std::isnan(numbers[0])) return;
    const Lane<Real> rate = allOf(numbers[0]), root_c2 = allOf(numbers[1]);
    const Lane<Real> shrink = allOf(numbers[2]), eps = all(rule.eps);
    const Lane<Real> b1 = all(rule.beta1), b2 = all(rule.beta2);
    const Lane<Real> new1 = hn::Sub(all(1.0), b1), new2 = hn::Sub(all(1.0), b2);
    const Lane<Real> decay = all(rule.decoupled ? 0.0 : rule.weight_decay);
    const Real* gradients = c.in(0).data;
    Real* parameters = c.out(0).data;
    Real* first_moment = c.out(1).data;
    Real* second_moment = c.out(2).data;
    overRow<Real>(c.out(0).size(), [&](std::int64_t i, std::int64_t left) {
      const Lane<Real> p = hn::Mul(loadSome(parameters + i, left), shrink);
      const Lane<Real> g = hn::Add(loadSome(gradients + i, left), hn::Mul(decay, p));
      const Lane<Real> m = hn::Add(hn::Mul(b1, loadSome(first_moment + i, left)), hn::Mul(new1, g));
      const Lane<Real> v =
          hn::Add(hn::Mul(b2, loadSome(second_moment + i, left)), hn::Mul(hn::Mul(new2, g), g));
      storeSome(first_moment + i, m, left);
      storeSome(second_moment + i, v, left);
      const Lane<Real> divisor = hn::Add(hn::Mul(hn::Sqrt(v), root_c2), eps);
      storeSome(parameters + i, hn::Sub(p, hn::Div(hn::Mul(rate, m), divisor)), left);
    });
  }
  /// A division or square root counts as one.
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return 16 * c.out(0).size();
  }
};

Op adamOp() {
  return makeForwardOp<AdamKernels>("adam",
                                    "m = b1 m + (1 - b1) g;  v = b2 v + (1 - b2) g^2;  p = "
                                    "p - rate (m / c1) / (sqrt(v / c2) + eps)",
                                    true);
}

}  // namespace
}  // namespace tfm::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tfm::ops {

HWY_EXPORT(adamOp);
namespace {

struct AdamWords : UpdateWords {
  static constexpr std::string_view kOutputs = "next m v g factor",
                                    kInputs = "p gradient m_before v_before rate norm";
};

}  // namespace

const Op kAdam =
    worded<AdamWords>(cpu::onTargets([](KernelSet) { return HWY_DYNAMIC_DISPATCH(adamOp)(); }));

}  // namespace tfm::ops
#endif

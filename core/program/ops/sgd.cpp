// SPDX-License-Identifier: GPL-3.0-or-later
#define HWY_TARGET_INCLUDE "core/program/ops/sgd.cpp"
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

struct SgdKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto& rule = c.template get<SgdRule>();
    if (std::isnan(c.in(1).data[0])) return;
    const Lane<Real> rate = allOf(c.in(1).data[0]);
    const Lane<Real> mu = allOf(Real(rule.momentum));
    const Lane<Real> decay = allOf(Real(rule.weight_decay));
    const Real* gradients = c.in(0).data;
    Real* parameters = c.out(0).data;
    Real* momentum = c.out(1).data;
    overRow<Real>(c.out(0).size(), [&](std::int64_t i, std::int64_t left) {
      const Lane<Real> p = loadSome(parameters + i, left);
      const Lane<Real> kept = hn::Mul(mu, loadSome(momentum + i, left));
      const Lane<Real> v = hn::Add(hn::Add(kept, loadSome(gradients + i, left)), hn::Mul(decay, p));
      storeSome(momentum + i, v, left);
      storeSome(parameters + i, hn::Sub(p, hn::Mul(rate, v)), left);
    });
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return 6 * c.out(0).size();
  }
};

Op sgdOp() { return makeForwardOp<SgdKernels>("sgd", "v = momentum v + g;  p = p - rate v", true); }

}  // namespace
}  // namespace tfm::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tfm::ops {

HWY_EXPORT(sgdOp);
namespace {

struct SgdWords : UpdateWords {
  static constexpr std::string_view kOutputs = "next v g factor",
                                    kInputs = "p gradient v_before rate norm";
};

}  // namespace

const Op kSgd =
    worded<SgdWords>(cpu::onTargets([](KernelSet) { return HWY_DYNAMIC_DISPATCH(sgdOp)(); }));

}  // namespace tfm::ops
#endif

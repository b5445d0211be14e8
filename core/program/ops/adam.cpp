// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "core/program/ops/update_ops.h"

namespace tfm::ops {
namespace {

struct AdamKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto& rule = c.template get<AdamRule>();
    const Real rate = Real(rule.learning_rate / rule.first_correction);
    const Real root_c2 = Real(1.0 / std::sqrt(rule.second_correction));
    const Real b1 = Real(rule.beta1), b2 = Real(rule.beta2), eps = Real(rule.eps);
    const Real shrink = Real(rule.decoupled ? 1.0 - rule.learning_rate * rule.weight_decay : 1.0);
    const Real decay = Real(rule.decoupled ? 0.0 : rule.weight_decay);
    const Real* gradients = c.in(0).data;
    Real* parameters = c.out(0).data;
    Real* first_moment = c.out(1).data;
    Real* second_moment = c.out(2).data;
    const std::int64_t size = c.out(0).size();
    for (std::int64_t i = 0; i < size; ++i) {
      const Real p = parameters[i] * shrink;
      const Real g = gradients[i] + decay * p;
      const Real m = b1 * first_moment[i] + (Real(1) - b1) * g;
      const Real v = b2 * second_moment[i] + (Real(1) - b2) * g * g;
      first_moment[i] = m;
      second_moment[i] = v;
      parameters[i] = p - rate * m / (std::sqrt(v) * root_c2 + eps);
    }
  }
  /// A division or square root counts as one.
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return 16 * c.out(0).size();
  }
};

}  // namespace

const Op kAdam = makeForwardOp<AdamKernels>("adam",
                                            "m = b1 m + (1 - b1) g;  v = b2 v + (1 - b2) g^2;  p = "
                                            "p - rate (m / c1) / (sqrt(v / c2) + eps)",
                                            true);

}  // namespace tfm::ops

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/ops/update_ops.h"

namespace tfm::ops {
namespace {

struct SgdKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto& rule = c.template get<SgdRule>();
    const Real rate = Real(rule.learning_rate);
    const Real mu = Real(rule.momentum);
    const Real decay = Real(rule.weight_decay);
    const Real* gradients = c.in(0).data;
    Real* parameters = c.out(0).data;
    Real* momentum = c.out(1).data;
    const std::int64_t size = c.out(0).size();
    for (std::int64_t i = 0; i < size; ++i) {
      const Real v = mu * momentum[i] + gradients[i] + decay * parameters[i];
      momentum[i] = v;
      parameters[i] -= rate * v;
    }
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return 6 * c.out(0).size();
  }
};

}  // namespace

const Op kSgd = makeForwardOp<SgdKernels>("sgd", "v = momentum v + g;  p = p - rate v", true);

}  // namespace tfm::ops

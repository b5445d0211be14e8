// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/cpu_backend.h"

#include <cmath>

namespace tfm {
namespace {

template <class Real>
class CpuBackend final : public Backend<Real> {
 public:
  std::string_view name() const override { return "cpu"; }

  void forward(const OpCall<Real>& call) const override {
    call.op->template kernels<Real>().forward(call);
  }
  void backward(const OpCall<Real>& call) const override {
    call.op->template kernels<Real>().backward(call);
  }

  void sgd(std::span<Real> parameters, std::span<const Real> gradients, std::span<Real> momentum,
           const SgdRule& rule) const override {
    const Real rate = Real(rule.learning_rate);
    const Real mu = Real(rule.momentum);
    const Real decay = Real(rule.weight_decay);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Real v = mu * momentum[i] + gradients[i] + decay * parameters[i];
      momentum[i] = v;
      parameters[i] -= rate * v;
    }
  }

  void adam(std::span<Real> parameters, std::span<const Real> gradients,
            std::span<Real> first_moment, std::span<Real> second_moment,
            const AdamRule& rule) const override {
    const Real rate = Real(rule.learning_rate / rule.first_correction);
    const Real root_c2 = Real(1.0 / std::sqrt(rule.second_correction));
    const Real b1 = Real(rule.beta1), b2 = Real(rule.beta2), eps = Real(rule.eps);
    const Real shrink = Real(rule.decoupled ? 1.0 - rule.learning_rate * rule.weight_decay : 1.0);
    const Real decay = Real(rule.decoupled ? 0.0 : rule.weight_decay);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Real p = parameters[i] * shrink;
      const Real g = gradients[i] + decay * p;
      const Real m = b1 * first_moment[i] + (Real(1) - b1) * g;
      const Real v = b2 * second_moment[i] + (Real(1) - b2) * g * g;
      first_moment[i] = m;
      second_moment[i] = v;
      parameters[i] = p - rate * m / (std::sqrt(v) * root_c2 + eps);
    }
  }
};

}  // namespace

template <class Real>
std::unique_ptr<Backend<Real>> makeCpuBackend() {
  return std::make_unique<CpuBackend<Real>>();
}

template std::unique_ptr<Backend<float>> makeCpuBackend();
template std::unique_ptr<Backend<double>> makeCpuBackend();

}  // namespace tfm

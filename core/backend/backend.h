// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

#include "core/backend/op.h"

namespace tfm {

/// One device that ops run on. A backend that has no kernels of its own for an op hands the call on
/// to another one; a decorator hands all of them on. Calls on different memory may run on several
/// threads at once.
template <class Real>
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;

  virtual void forward(const OpCall<Real>& call) const = 0;
  virtual void backward(const OpCall<Real>& call) const = 0;

  /// One step of stochastic gradient descent with momentum over a flat range; see SgdRule.
  virtual void sgd(std::span<Real> parameters, std::span<const Real> gradients,
                   std::span<Real> momentum, const SgdRule& rule) const = 0;
  /// One step of Adam or AdamW over a flat range; see AdamRule.
  virtual void adam(std::span<Real> parameters, std::span<const Real> gradients,
                    std::span<Real> first_moment, std::span<Real> second_moment,
                    const AdamRule& rule) const = 0;
};

}  // namespace tfm

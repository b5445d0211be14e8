// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/backend/op_arguments.h"

namespace tfm::cpu {

/// Optimizer steps over flat ranges; the rules stand in op_arguments.h.
template <class Real>
struct Optimizer {
  static void sgd(std::span<Real> parameters, std::span<const Real> gradients,
                  std::span<Real> momentum, const SgdRule& rule);
  static void adam(std::span<Real> parameters, std::span<const Real> gradients,
                   std::span<Real> first_moment, std::span<Real> second_moment,
                   const AdamRule& rule);
};

}  // namespace tfm::cpu

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/backend/gradient_view.h"

namespace tfm::cpu {

/// y = x W^T + b
template <class Real>
struct Linear {
  using In = MatrixView<const Real>;
  using Out = MatrixView<Real>;
  using Gradient = GradientView<Real>;
  static void forward(Out y, In x, In w, In b);
  static void backward(Gradient dx, Gradient dw, Gradient db, In dy, In x, In w);
};

}  // namespace tfm::cpu

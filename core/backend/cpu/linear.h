// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/matrix_view.h"

namespace tfm::cpu {

/// y = x W^T + b
template <class Real>
struct Linear {
  using In = MatrixView<const Real>;
  using Out = MatrixView<Real>;
  static void forward(Out y, In x, In w, In b);
  static void backward(Out dx, Out dw, Out db, In dy, In x, In w);
};

}  // namespace tfm::cpu

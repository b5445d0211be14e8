// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/matrix_view.h"

namespace tfm::cpu {

/// y = x, then columns of zeros
template <class Real>
struct PadColumns {
  using In = MatrixView<const Real>;
  using Out = MatrixView<Real>;
  static void forward(Out y, In x);
  static void backward(Out dx, In dy);
};

}  // namespace tfm::cpu

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/matrix_view.h"

namespace tfm::cpu {

/// y = x + g (f - x), g: 1 x 1
template <class Real>
struct Gate {
  using In = MatrixView<const Real>;
  using Out = MatrixView<Real>;
  static void forward(Out y, In x, In f, In g);
  static void backward(Out dx, Out df, Out dg, In dy, In x, In f, In g);
};

}  // namespace tfm::cpu

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/backend/op_arguments.h"

namespace tfm::cpu {

/// y = act(x)
template <class Real>
struct ActivationKernel {
  using In = MatrixView<const Real>;
  using Out = MatrixView<Real>;
  using Gradient = GradientView<Real>;
  static void forward(Out y, In x, Activation kind);
  static void backward(Gradient dx, In dy, In x, Activation kind);
};

/// y = a + b
template <class Real>
struct Add {
  using In = MatrixView<const Real>;
  using Out = MatrixView<Real>;
  using Gradient = GradientView<Real>;
  static void forward(Out y, In a, In b);
  static void backward(Gradient da, Gradient db, In dy);
};

/// y = x * keep / (1 - rate)
template <class Real>
struct DropoutKernel {
  using In = MatrixView<const Real>;
  using Out = MatrixView<Real>;
  static void forward(Out y, In x, const Dropout& dropout);
  static void backward(Out dx, In dy, const Dropout& dropout);
};

}  // namespace tfm::cpu

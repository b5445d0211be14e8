// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/backend/gradient_view.h"

namespace tfm::cpu {

/// y = (x - mean) / sqrt(variance + eps) * gain + bias by rows; saved: mean, 1 / sqrt(variance +
/// eps)
template <class Real>
struct LayerNorm {
  using In = MatrixView<const Real>;
  using Out = MatrixView<Real>;
  using Gradient = GradientView<Real>;
  static void forward(Out y, Out saved, In x, In gain, In bias, Real eps);
  static void backward(Gradient dx, Gradient dgain, Gradient dbias, In dy, In x, In gain, In saved);
};

/// y = x / sqrt(mean(x^2) + eps) * gain by rows; saved: 1 / sqrt(mean(x^2) + eps)
template <class Real>
struct RmsNorm {
  using In = MatrixView<const Real>;
  using Out = MatrixView<Real>;
  using Gradient = GradientView<Real>;
  static void forward(Out y, Out saved, In x, In gain, Real eps);
  static void backward(Gradient dx, Gradient dgain, In dy, In x, In gain, In saved);
};

}  // namespace tfm::cpu

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/tensor/matrix_view.h"

namespace tfm::cpu {

/// loss = sum_r weight_r * -log softmax(logits_r)[label_r]
template <class Real>
struct CrossEntropy {
  using In = MatrixView<const Real>;
  using Out = MatrixView<Real>;
  using Ids = std::span<const std::int32_t>;
  static void forward(Out loss, Out probabilities, In logits, Ids labels, In weights);
  static void backward(Out dlogits, In dloss, In probabilities, Ids labels, In weights);
};

/// loss = scale * sum (x - target)^2
template <class Real>
struct SquaredError {
  using In = MatrixView<const Real>;
  using Out = MatrixView<Real>;
  static void forward(Out loss, In x, In target, Real scale);
  static void backward(Out dx, In dloss, In x, In target, Real scale);
};

}  // namespace tfm::cpu

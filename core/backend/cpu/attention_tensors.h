// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/backend/gradient_view.h"
#include "core/backend/op_arguments.h"

namespace tfm::cpu {

/// What attention reads and writes. Rows of q, k, v, mixed: (batch * positions); columns: (heads *
/// size), heads contiguous. Rows of the score matrices: (batch * heads * queries), columns: keys.
///   scores = q k^T + bias;  masked = scores / sqrt(key_size) + kPadScore where the key is padding;
///   probabilities = softmax(masked) over the keys that `causal` allows, exactly 0 elsewhere;
///   mixed = changed(dropout(probabilities)) v
/// The forward pass ignores the gradients; the backward pass reads its outputs.
template <class Real>
struct AttentionTensors {
  MatrixView<const Real> q, k, v;
  std::span<const std::int32_t> key_pad;  ///< batch * keys flags, 1 = padding; empty = none
  MatrixView<const Real> bias;            ///< of the scores; empty = none
  MatrixView<Real> scores;                ///< written if not empty: before scaling
  MatrixView<Real> masked;  ///< written if not empty; causally masked cells are -infinity
  MatrixView<Real> probabilities;
  MatrixView<Real> dropped;  ///< after dropout and changes; empty without both
  MatrixView<Real> mixed;
  MatrixView<const Real> dmixed;
  GradientView<Real> dq, dk, dv, dbias;
  Dropout dropout;  ///< over the rows and columns of `probabilities`
  std::span<const CellChange> changes;
};

}  // namespace tfm::cpu

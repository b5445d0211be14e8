// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "core/backend/gradient_view.h"
#include "core/tensor/matrix_view.h"
#include "core/tensor/random.h"

namespace tfm {

/// The non-linearity of a feed-forward block. Gelu is x Phi(x) with erf; GeluTanh its tanh form
/// (Hendrycks and Gimpel 2016).
enum class Activation { Relu, Gelu, GeluTanh };

/// Which elements a dropout keeps. Element (r, c) of a matrix with `cols` columns draws number
/// (first_row + r) * cols + c, so the choice does not depend on how a batch is cut into pieces.
struct Dropout {
  double rate = 0.0;
  Random random{0, 0};
  std::int64_t first_row = 0;

  bool keeps(std::int64_t row, std::int64_t cols, std::int64_t col) const {
    return random.uniform(static_cast<std::uint64_t>((first_row + row) * cols + col)) >= rate;
  }
};

/// How much each column of a matrix counts: the first `full` ones wholly, the others `weight`.
struct ColumnMask {
  std::int64_t full = 0;
  double weight = 1.0;
};

/// The sizes of one attention over a batch of sequences.
struct AttentionShape {
  std::int64_t batch = 0;
  std::int64_t queries = 0;  ///< positions that look
  std::int64_t keys = 0;     ///< positions looked at
  std::int64_t heads = 0;
  std::int64_t key_size = 0;
  std::int64_t value_size = 0;
  bool causal = false;  ///< position i sees keys 0..i only
};

/// The score that is added to a padded key before the softmax. Finite, so that a row whose keys are
/// all padding becomes a near-uniform row instead of a division by zero.
inline constexpr double kPadScore = -10000.0;

/// What attention reads and writes. Rows of q, k, v, mixed: (batch * positions); columns: (heads *
/// size), heads contiguous. Rows of the score matrices: (batch * heads * queries), columns: keys.
///   scores = q k^T;  masked = scores / sqrt(key_size) + kPadScore where the key is padding;
///   probabilities = softmax(masked) over the keys that `causal` allows, exactly 0 elsewhere;
///   mixed = dropout(probabilities) v
template <class Real>
struct AttentionTensors {
  MatrixView<const Real> q, k, v;
  std::span<const std::int32_t> key_pad;  ///< batch * keys flags, 1 = padding; empty = none
  MatrixView<Real> scores;                ///< written if not empty: q k^T before scaling
  MatrixView<Real> masked;                ///< written if not empty; forbidden cells hold -infinity
  MatrixView<Real> probabilities;
  MatrixView<Real> dropped;  ///< after dropout; empty without dropout
  MatrixView<Real> mixed;
  Dropout dropout;  ///< over the rows and columns of `probabilities`
};

/// What the backward of attention reads and accumulates into.
template <class Real>
struct AttentionGradients {
  MatrixView<const Real> q, k, v, probabilities, dropped, dmixed;
  GradientView<Real> dq, dk, dv;
  Dropout dropout;
};

/// v = momentum v + g + weight_decay p;  p = p - learning_rate v.
struct SgdRule {
  double learning_rate = 0.0;
  double momentum = 0.0;
  double weight_decay = 0.0;
};

/// m = beta1 m + (1 - beta1) g;  v = beta2 v + (1 - beta2) g^2;
/// p = p - learning_rate (m / c1) / (sqrt(v / c2) + eps),  c_i = 1 - beta_i^step (Kingma and Ba
/// 2015). Decoupled: p loses learning_rate * weight_decay * p first (Loshchilov and Hutter 2019);
/// else g gains weight_decay * p.
struct AdamRule {
  double learning_rate = 0.0;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0.0;
  bool decoupled = false;
  double first_correction = 1.0;   ///< c1
  double second_correction = 1.0;  ///< c2

  /// The corrections for moments that have seen `step` steps, this one included.
  void correctFor(std::int64_t step) {
    first_correction = 1.0 - std::pow(beta1, double(step));
    second_correction = 1.0 - std::pow(beta2, double(step));
  }
};

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>

#include "core/tensor/random.h"

// Arguments of ops besides tensors: fixed when a program is built, read by every backend.
namespace tfm {

/// Activation functions of feed-forward blocks. Gelu is x Phi(x) with erf; GeluTanh its tanh
/// approximation (Hendrycks and Gimpel 2016).
enum class Activation { Relu, Gelu, GeluTanh };

/// The position of a run in the training. Dropout draws the same numbers however a batch is split;
/// the step also determines the weight of masked components, outside training too.
struct RunPosition {
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
  std::int64_t first_sequence = 0;  ///< index in the whole batch
};

struct DropoutArguments {
  double rate = 0.0;
  std::uint32_t stream = 0;  ///< random stream; one per dropout site
  std::int64_t rows_per_sequence = 0;
};

/// The elements that dropout keeps. Element (r, c) of a matrix with `cols` columns draws number
/// (first_row + r) * cols + c, independently of how a batch is split.
struct Dropout {
  double rate;
  Random random;
  std::int64_t first_row;

  Dropout(const DropoutArguments& a, const RunPosition& position)
      : rate(a.rate),
        random(position.seed, a.stream, position.step),
        first_row(position.first_sequence * a.rows_per_sequence) {}

  bool keeps(std::int64_t row, std::int64_t cols, std::int64_t col) const {
    return random.uniform(static_cast<std::uint64_t>((first_row + row) * cols + col)) >= rate;
  }
};

struct EmbeddingArguments {
  double scale = 1.0;
};
/// For ops that treat sequences separately: rows per sequence.
struct SequenceArguments {
  std::int64_t length = 0;
};
struct NormArguments {
  double eps = 0.0;
};
/// The first `size` columns have weight 1; the weight of the others rises linearly from 0 at
/// training step `begin` to 1 at begin + steps.
struct MaskedNormArguments {
  double eps = 0.0;
  std::int64_t size = 0;
  std::int64_t begin = 0;
  std::int64_t steps = 1;
};
struct SquaredErrorArguments {
  double scale = 1.0;
};

/// The sizes of one attention over a batch of sequences.
struct AttentionShape {
  std::int64_t batch = 0;
  std::int64_t queries = 0;  ///< query positions per sequence
  std::int64_t keys = 0;     ///< key positions per sequence
  std::int64_t heads = 0;
  std::int64_t key_size = 0;
  std::int64_t value_size = 0;
  bool causal = false;  ///< query i attends to keys 0..i only
};
struct AttentionArguments {
  AttentionShape shape;
  DropoutArguments dropout;
};

/// Added to the scores of padded keys before the softmax. Finite, so that a row whose keys are all
/// padding becomes nearly uniform instead of a division by zero.
inline constexpr double kPadScore = -10000.0;

/// v = momentum v + g + weight_decay p;  p = p - learning_rate v.
struct SgdRule {
  double learning_rate = 0.0;
  double momentum = 0.0;
  double weight_decay = 0.0;
};

/// m = beta1 m + (1 - beta1) g;  v = beta2 v + (1 - beta2) g^2;
/// p = p - learning_rate (m / c1) / (sqrt(v / c2) + eps),  c_i = 1 - beta_i^step (Kingma and Ba
/// 2015). Decoupled (AdamW, Loshchilov and Hutter 2019): p -= learning_rate * weight_decay * p
/// first; otherwise g += weight_decay * p.
struct AdamRule {
  double learning_rate = 0.0;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0.0;
  bool decoupled = false;
  double first_correction = 1.0;   ///< c1
  double second_correction = 1.0;  ///< c2

  /// Sets the bias corrections for `step` steps, including this one.
  void correctFor(std::int64_t step) {
    first_correction = 1.0 - std::pow(beta1, double(step));
    second_correction = 1.0 - std::pow(beta2, double(step));
  }
};

}  // namespace tfm

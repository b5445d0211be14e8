// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>

#include "core/tensor/random.h"

// What a step says of its op beyond the tensors: fixed when a program is built, read by every
// backend.
namespace tfm {

/// The non-linearity of a feed-forward block. Gelu is x Phi(x) with erf; GeluTanh its tanh form
/// (Hendrycks and Gimpel 2016).
enum class Activation { Relu, Gelu, GeluTanh };

/// Where a run stands in the training: what dropout needs to draw the same numbers however a batch
/// is cut. The step also says how much masked components count, outside training too.
struct RunPosition {
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
  std::int64_t first_sequence = 0;  ///< of this call's part, in the whole batch
};

struct DropoutArguments {
  double rate = 0.0;
  std::uint32_t stream = 0;  ///< of the random numbers; one a dropout site
  std::int64_t rows_per_sequence = 0;
};

/// Which elements a dropout keeps. Element (r, c) of a matrix with `cols` columns draws number
/// (first_row + r) * cols + c, so the choice does not depend on how a batch is cut into pieces.
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
/// For ops that must know where one sequence ends: rows of one sequence.
struct SequenceArguments {
  std::int64_t length = 0;
};
struct NormArguments {
  double eps = 0.0;
};
/// The first `size` columns count fully; the others with a weight that rises from 0 at training
/// step `begin` to 1 after `steps` more.
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
  std::int64_t queries = 0;  ///< positions that look
  std::int64_t keys = 0;     ///< positions looked at
  std::int64_t heads = 0;
  std::int64_t key_size = 0;
  std::int64_t value_size = 0;
  bool causal = false;  ///< position i sees keys 0..i only
};
struct AttentionArguments {
  AttentionShape shape;
  DropoutArguments dropout;
};

/// The score that is added to a padded key before the softmax. Finite, so that a row whose keys are
/// all padding becomes a near-uniform row instead of a division by zero.
inline constexpr double kPadScore = -10000.0;

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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/tensor/portable_math.h"
#include "core/tensor/random.h"

// Arguments of ops besides tensors: fixed when a program is built, read by every backend. What is
// constexpr here also runs inside kernels of other devices.
namespace tfm {

/// Activation functions of feed-forward blocks. Gelu is x Phi(x) with erf; GeluTanh its tanh
/// approximation (Hendrycks and Gimpel 2016). Silu, also known as swish, is x / (1 + exp(-x)).
enum class Activation { Relu, Gelu, GeluTanh, Silu };

/// The position of a run in the training. Dropout draws the same numbers however a batch is split;
/// the step also determines the weight of masked components, outside training too.
struct RunPosition {
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
  std::int64_t first_sequence = 0;  ///< index in the whole batch

  bool operator==(const RunPosition&) const = default;
};
inline constexpr RunPosition kFirstPosition{};

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

  /// The weight of the columns after the first `size` ones.
  constexpr double weightAt(const RunPosition& position) const {
    const double done = double(position.step) - double(begin);
    return std::clamp(done / double(steps), 0.0, 1.0);
  }
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
  bool causal = false;      ///< query i attends to keys 0..i only
  std::int64_t window = 0;  ///< and only to the last so many of these; 0: all

  /// The keys that the mask leaves to a query: from firstSeen() to before endSeen().
  constexpr std::int64_t firstSeen(std::int64_t query) const {
    return window > 0 ? std::max<std::int64_t>(0, query + 1 - window) : 0;
  }
  constexpr std::int64_t endSeen(std::int64_t query) const {
    return causal ? std::min(keys, query + 1) : keys;
  }
  constexpr bool hides(std::int64_t query, std::int64_t key) const {
    return key < firstSeen(query) || key >= endSeen(query);
  }
};
/// A cell of the attention maps: p becomes factor * p + added, or `added` if the factor is 0.
struct CellChange {
  std::int64_t row = 0;  ///< of (batch * heads * queries)
  std::int64_t col = 0;  ///< key; never one that the mask hides
  double factor = 0.0;
  double added = 0.0;

  template <class Real>
  constexpr Real of(Real p) const {
    return factor == 0.0 ? Real(added) : Real(factor) * p + Real(added);
  }
};
struct AttentionArguments {
  AttentionShape shape;
  DropoutArguments dropout;
  std::vector<CellChange> changes = {};  ///< after dropout, by ascending row
};

/// Queries that attend to all positions up to their own, of which those before them were kept in
/// earlier runs.
struct CachedAttentionArguments {
  AttentionShape shape;    ///< keys: room for so many positions; heads: of queries
  std::int64_t group = 1;  ///< heads of queries that share the keys and values of a head

  constexpr std::int64_t keyColumns() const { return shape.heads / group * shape.key_size; }
};

/// Turned pairs of columns (Su et al. 2021, RoFormer, section 3.2, with the pairs of GPT-NeoX): of
/// each head of `key_size` columns, i < size / 2 and i + size / 2 are a point; the others stay.
struct RotaryArguments {
  std::int64_t length = 0;  ///< positions per sequence
  std::int64_t key_size = 0;
  std::int64_t size = 0;  ///< turned columns of a head, an even number
};
/// Heads of `size` columns, each of which is repeated.
struct RepeatArguments {
  std::int64_t times = 1;
  std::int64_t size = 0;
};

/// The places of queries among the keys of an attention whose scores know distances; of pooled ones
/// as Dai et al. 2020, Funnel-Transformer, appendix A.2.
struct RelativeArguments {
  AttentionShape shape;       ///< of the attention that the scores are added to
  std::int64_t ratio = 1;     ///< keys from one query to the next: 2 where queries alone are pooled
  bool separate_cls = false;  ///< the first query and the first key are [CLS], which has no place

  /// Rows of the table of distances.
  constexpr std::int64_t distances() const { return (shape.queries - 1) * ratio + shape.keys; }
  /// The row of a query and a key. Going down it, the key moves to the right of the query.
  constexpr std::int64_t rowOf(std::int64_t query, std::int64_t key) const {
    return (shape.queries - 1 - query) * ratio + key;
  }
  /// How many keys the query is to the right of the key in such a row. After a separate [CLS], the
  /// first query and the first key are at the same place.
  constexpr std::int64_t distance(std::int64_t row) const {
    return (shape.queries - 1) * ratio - row - (separate_cls ? ratio - 1 : 0);
  }
};
struct SegmentArguments {
  AttentionShape shape;
  bool separate_cls = false;
};
/// The segment of [CLS], which is the same as any other.
inline constexpr std::int32_t kClsSegment = 2;

/// How a pair of states, or of integers, is combined when a sequence is pooled.
enum class Pooling { Mean, Max };
enum class IdPooling { Min, Max, First };

/// How pooling halves a sequence: pairs of positions become one, and an odd one out stays alone. A
/// separate [CLS] is passed on unchanged, and the pairs begin after it; `truncate` then drops the
/// last position, so that a power of two stays one: 8 positions become [CLS], (1, 2), (3, 4), (5,
/// 6) (Dai et al. 2020, with the sizes of the official code).
struct SequencePooling {
  std::int64_t length = 0;
  bool separate_cls = false;
  bool truncate = false;  ///< without a separate [CLS] nothing is dropped

  constexpr std::int64_t pooledLength() const {
    return separate_cls ? 1 + kept() / 2 : (length + 1) / 2;
  }
  /// The first position that a pooled one holds, and how many.
  constexpr std::int64_t first(std::int64_t pooled) const {
    return separate_cls ? std::max<std::int64_t>(0, 2 * pooled - 1) : 2 * pooled;
  }
  constexpr std::int64_t count(std::int64_t pooled) const {
    if (separate_cls && pooled == 0) return 1;
    return std::min<std::int64_t>(2, kept() - first(pooled));
  }

 private:
  constexpr std::int64_t kept() const {
    return separate_cls && truncate ? std::max<std::int64_t>(1, length - 1) : length;
  }
};
struct SequencePoolArguments {
  SequencePooling sequence;
  Pooling kind = Pooling::Mean;
};
struct IdPoolArguments {
  SequencePooling sequence;
  IdPooling kind = IdPooling::Min;
};

/// The way back: every position is repeated, a separate [CLS] is not.
struct SequenceUpsampling {
  std::int64_t length = 0;
  std::int64_t factor = 1;
  std::int64_t target_length = 0;
  bool separate_cls = false;

  /// The position that target position `to` is a copy of; -1 after the last copy, where truncation
  /// dropped the position.
  constexpr std::int64_t sourceOf(std::int64_t to) const {
    const std::int64_t alone = separate_cls ? 1 : 0;
    const std::int64_t from = to < alone ? to : alone + (to - alone) / factor;
    return from < length ? from : -1;
  }
};

struct GroupedLinearArguments {
  std::int64_t groups = 1;
  bool shuffle = false;  ///< output j of group i becomes column j * groups + i
};
struct JoinGroupsArguments {
  std::int64_t groups = 1;
};

/// Added to the scores of padded keys before the softmax. No score outweighs it: those of trained
/// models reach millions. Finite, so that a row whose keys are all padding becomes uniform instead
/// of a division by zero.
inline constexpr double kPadScore = -1e30;

/// The numbers of an update that change from step to step.
template <class Real>
using StepNumbers = std::array<Real, 3>;

/// v = momentum v + g + weight_decay p;  p = p - learning_rate v.
struct SgdRule {
  double learning_rate = 0.0;
  double momentum = 0.0;
  double weight_decay = 0.0;

  /// The learning rate.
  template <class Real>
  StepNumbers<Real> stepNumbers() const {
    return {Real(learning_rate)};
  }
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
    first_correction = 1.0 - portable::pow(beta1, double(step));
    second_correction = 1.0 - portable::pow(beta2, double(step));
  }
  /// learning_rate / c1, 1 / sqrt(c2) and the factor by which a decoupled decay multiplies p.
  template <class Real>
  StepNumbers<Real> stepNumbers() const {
    return {Real(learning_rate / first_correction), Real(1.0 / std::sqrt(second_correction)),
            Real(decoupled ? 1.0 - learning_rate * weight_decay : 1.0)};
  }
};

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/blocks/block.h"

namespace tfm {

/// Parts of relative attention: what is added to the queries of content, places and segments, and
/// the maps of distances and segments to keys.
inline constexpr ParameterPart kContentPart{"content"};
inline constexpr ParameterPart kPositionPart{"position"};
inline constexpr ParameterPart kSegmentPart{"segment"};
/// What is added to the scores for each bucket of distances (Positions::Buckets).
inline constexpr ParameterPart kDistancePart{"distance"};
/// The norms of queries and keys (ModelConfig::query_key_norm).
inline constexpr ParameterPart kQueryNormPart{"query_norm"};
inline constexpr ParameterPart kKeyNormPart{"key_norm"};
struct Rows;
struct Memory;

/// The sizes of a multi-head attention (Vaswani et al. 2017, section 3.2.2).
struct AttentionSizes {
  std::int64_t heads = 1;       ///< of keys and values
  std::int64_t key_size = 1;    ///< of one head, independent of hidden / heads
  std::int64_t value_size = 1;  ///< of one head
  /// The sizes of each head if they differ: all heads are stored with key_size and value_size, and
  /// components beyond a head's own size stay zero. Empty: equal sizes.
  std::vector<std::int64_t> key_sizes = {}, value_sizes = {};
  /// Heads of queries for each head of keys and values, which share them (Ainslie et al. 2023,
  /// GQA). There are heads * group attentions, those of a group side by side.
  std::int64_t group = 1;

  std::vector<io::Field> fields();
  std::vector<BlockSize> growable();
  void check(const std::string& owner) const;
  bool operator==(const AttentionSizes&) const = default;
};

/// Turns queries and keys by their position; without a table: does not.
struct RotaryTable {
  TensorId angles = kNoTensor;
  std::int64_t size = 0;
};

/// Query, key and value maps, attention, output map into the residual stream. Only the first
/// `heads` heads (of keys and values) run. `axis`: of the queries' states. `relative_stride`:
/// tokens from one query to the next for relative attention; 0: scores do not know distances.
/// `window`: see SelfAttention.
TensorId attentionSteps(ModelBuilder& m, const Place& place, TensorId queries_from,
                        const Dimension& axis, Rows rows, const Memory& keys_from,
                        const AttentionSizes& sizes, std::int64_t heads, bool causal,
                        std::int64_t relative_stride = 0, const RotaryTable& rotary = {},
                        std::int64_t window = 0);

/// Attends to the positions of its own stack; causal in decoders. With Positions::Relative the
/// score of query i and key j is ((q_i + u) k_j + (q_i + v) W r(i - j) + (q_i + w) e) / sqrt(key
/// size), r the sinusoid of their distance in tokens and e one of two learned vectors, of another
/// and of the same segment; texts have a single one. Queries have no separate bias. A separate
/// [CLS] has neither place nor segment (Dai et al. 2020, appendix A.2, and the official code). With
/// Positions::Buckets it is q_i k_j / sqrt(key size) + b, b of the head and of the bucket of j - i
/// (ops::DistanceBuckets; Raffel et al. 2020, T5, section 2.1).
struct SelfAttention {
  static constexpr BlockKind kKind{"self_attention"};
  static constexpr bool kAttendsToMemory = false;
  static constexpr bool kStandsAlone = true;

  AttentionSizes sizes;
  /// In decoders: a position attends to the last so many, its own among them (Beltagy et al. 2020,
  /// Longformer; Mistral). 0: to all before.
  std::int64_t window = 0;

  std::vector<io::Field> fields();
  std::vector<BlockSize> growable() { return sizes.growable(); }
  void check(const std::string& owner, std::int64_t) const { sizes.check(owner); }
  TensorId build(ModelBuilder& m, const Place& place, const SelfAttention& part, TensorId x,
                 const BlockContext& around) const;
  bool operator==(const SelfAttention&) const = default;
};

/// Attends to the encoder's output, or to an external one.
struct CrossAttention {
  static constexpr BlockKind kKind{"cross_attention"};
  static constexpr bool kAttendsToMemory = true;
  static constexpr bool kStandsAlone = false;

  AttentionSizes sizes;

  std::vector<io::Field> fields() { return sizes.fields(); }
  std::vector<BlockSize> growable() { return sizes.growable(); }
  void check(const std::string& owner, std::int64_t) const { sizes.check(owner); }
  TensorId build(ModelBuilder& m, const Place& place, const CrossAttention& part, TensorId x,
                 const BlockContext& around) const;
  bool operator==(const CrossAttention&) const = default;
};

}  // namespace tfm

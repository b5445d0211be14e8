// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/blocks/block.h"

namespace tfm {

struct Rows;
struct Memory;

/// The sizes of a multi-head attention (Vaswani et al. 2017, section 3.2.2).
struct AttentionSizes {
  std::int64_t heads = 1;
  std::int64_t key_size = 1;    ///< of one head, independent of hidden / heads
  std::int64_t value_size = 1;  ///< of one head
  /// The sizes of each head if they differ: all heads are stored with key_size and value_size, and
  /// components beyond a head's own size stay zero. Empty: equal sizes.
  std::vector<std::int64_t> key_sizes = {}, value_sizes = {};

  std::vector<io::Field> fields();
  std::vector<BlockSize> growable();
  void check(const std::string& owner) const;
  bool operator==(const AttentionSizes&) const = default;
};

/// Query, key and value maps, attention, output map into the residual stream. Only the first
/// `heads` heads run. `axis`: of the queries' states.
TensorId attentionSteps(ModelBuilder& m, const Place& place, TensorId queries_from,
                        const Dimension& axis, Rows rows, const Memory& keys_from,
                        const AttentionSizes& sizes, std::int64_t heads, bool causal);

/// Attends to the positions of its own stack; causal in decoders.
struct SelfAttention {
  static constexpr BlockKind kKind{"self_attention"};
  static constexpr bool kAttendsToMemory = false;
  static constexpr bool kStandsAlone = true;

  AttentionSizes sizes;

  std::vector<io::Field> fields() { return sizes.fields(); }
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

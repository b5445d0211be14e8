// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/blocks/block.h"

namespace tfm {

/// The sizes of a multi-head attention (Vaswani et al. 2017, section 3.2.2).
struct AttentionSizes {
  std::int64_t heads = 1;
  std::int64_t key_size = 1;    ///< of one head; free of hidden / heads
  std::int64_t value_size = 1;  ///< of one head
  /// The heads' own sizes where they differ: all are stored with key_size and value_size, and what
  /// is beyond a head's own stays zero. Empty: they do not differ.
  std::vector<std::int64_t> key_sizes = {}, value_sizes = {};

  std::vector<io::Field> fields();
  std::vector<BlockSize> growable();
  void check(const std::string& owner) const;
  bool operator==(const AttentionSizes&) const = default;
};

/// Looks at the positions of its own stack; in a decoder only at those before.
struct SelfAttention {
  static constexpr BlockKind kKind{"self_attention"};
  static constexpr bool kLooksAtMemory = false;
  static constexpr bool kStandsAlone = true;

  AttentionSizes sizes;

  std::vector<io::Field> fields() { return sizes.fields(); }
  std::vector<BlockSize> growable() { return sizes.growable(); }
  void check(const std::string& owner) const { sizes.check(owner); }
  TensorId build(ModelBuilder& m, const Place& place, const SelfAttention& part, TensorId x,
                 const Surroundings& around) const;
  bool operator==(const SelfAttention&) const = default;
};

/// Looks at the encoder's output, or at a memory from outside.
struct CrossAttention {
  static constexpr BlockKind kKind{"cross_attention"};
  static constexpr bool kLooksAtMemory = true;
  static constexpr bool kStandsAlone = false;

  AttentionSizes sizes;

  std::vector<io::Field> fields() { return sizes.fields(); }
  std::vector<BlockSize> growable() { return sizes.growable(); }
  void check(const std::string& owner) const { sizes.check(owner); }
  TensorId build(ModelBuilder& m, const Place& place, const CrossAttention& part, TensorId x,
                 const Surroundings& around) const;
  bool operator==(const CrossAttention&) const = default;
};

}  // namespace tfm

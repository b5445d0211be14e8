// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/model/blocks/attention.h"
#include "core/model/blocks/delight_attention.h"
#include "core/model/blocks/feed_forward.h"

namespace tfm {

/// The table of all kinds of blocks; a new kind is one more row. JSON, validation, programs,
/// growth, submodels and messages work on any of them.
using AnyBlock = std::variant<SelfAttention, CrossAttention, FeedForward, DelightAttention>;

/// A block of each kind with default sizes, in the order of the table.
std::span<const AnyBlock> blockKinds();

/// One sub-layer: x + f(norm(x)) or norm(x + f(x)).
struct BlockConfig {
  AnyBlock f;
  double norm_eps = 1e-5;  ///< stored because growing the hidden size rescales it
  bool operator==(const BlockConfig&) const = default;

  // The members of the block; see block.h.
  BlockKind kind() const;
  std::vector<io::Field> fields();
  std::vector<BlockSize> growable();
  void check(const std::string& owner, std::int64_t hidden) const;
  bool attendsToMemory() const;
  bool standsAlone() const;
  /// Sizes that follow from the hidden size stay as they are when it grows from `hidden`.
  void keepSizes(std::int64_t hidden);
  /// Also resizes the lists of sizes per head.
  void setHeads(std::int64_t heads);
};

/// Whether blocks of this kind attend to a memory.
bool attendsToMemory(BlockKind kind);
/// As in messages: "self-attention".
std::string blockWords(BlockKind kind);

}  // namespace tfm

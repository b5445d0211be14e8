// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/model/blocks/attention.h"
#include "core/model/blocks/feed_forward.h"

namespace tfm {

/// The table of all kinds of blocks. Files, validation, programs, growth, submodels and messages
/// walk it: a new kind is one more row here (see block.h).
using AnyBlock = std::variant<SelfAttention, CrossAttention, FeedForward>;

/// One block of each kind, as a struct of that kind begins.
std::span<const AnyBlock> blockKinds();

/// One sub-layer: x + f(norm(x)) or norm(x + f(x)).
struct BlockConfig {
  AnyBlock f;
  double norm_eps = 1e-5;  ///< stored because growing the hidden size rescales it
  bool operator==(const BlockConfig&) const = default;

  BlockKind kind() const;
  std::vector<io::Field> fields();    ///< bound to it; without norm_eps
  std::vector<BlockSize> growable();  ///< bound to it
  void check(const std::string& owner) const;
  bool looksAtMemory() const;  ///< an encoder's output, or one from outside
  bool standsAlone() const;    ///< a model can be nothing but this block
  /// Its number of heads changes, and with it the lists of sizes that they have of their own.
  void setHeads(std::int64_t heads);
};

/// Whether blocks of this kind look at a memory.
bool looksAtMemory(BlockKind kind);
/// In messages: "self-attention".
std::string blockWords(BlockKind kind);

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/blocks/block.h"

namespace tfm {

/// linear2(activation(linear1(x))), each position by itself; where the model's are gated,
/// linear2(activation(linear1(x)) * up(x)).
struct FeedForward {
  static constexpr BlockKind kKind{"feed_forward"};
  static constexpr bool kAttendsToMemory = false;
  static constexpr bool kStandsAlone = false;

  std::int64_t width = 1;

  std::vector<io::Field> fields();
  std::vector<BlockSize> growable();
  void check(const std::string&, std::int64_t) const {}
  TensorId build(ModelBuilder& m, const Place& place, const FeedForward& part, TensorId x,
                 const BlockContext& around) const;
  bool operator==(const FeedForward&) const = default;
};

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/blocks/block.h"
#include "core/model/delight.h"

namespace tfm {

/// A DExTra unit, which expands and then reduces the states to half their width, and a single-head
/// attention at that width; causal in decoders (DeLighT: Mehta et al. 2021, section 3, in the order
/// of the official code).
struct DelightAttention {
  static constexpr BlockKind kKind{"delight_attention"};
  static constexpr bool kAttendsToMemory = false;
  static constexpr bool kStandsAlone = false;

  std::int64_t depth = 4;        ///< grouped maps of the DExTra unit, at least 2
  double width = 2.0;            ///< of the widest map, in hidden sizes
  std::int64_t most_groups = 0;  ///< a power of two; 0: dextraGroups(hidden)
  bool rising_groups = true;     ///< otherwise all maps have most_groups
  bool shuffle = true;           ///< of the features after every grouped map
  bool mixer = true;             ///< the projected input joins every map after the first
  /// The hidden size that the sizes inside follow from, stored so that growth does not change them;
  /// 0: the model's.
  std::int64_t base_size = 0;

  /// The width of the unit's input and output, and of the attention.
  std::int64_t half(std::int64_t hidden) const;
  /// The grouped maps, in order. `depth` is at least 2.
  std::vector<GroupedSizes> maps(std::int64_t hidden) const;

  std::vector<io::Field> fields();
  std::vector<BlockSize> growable();
  void check(const std::string& owner, std::int64_t hidden) const;
  TensorId build(ModelBuilder& m, const Place& place, const DelightAttention& part, TensorId x,
                 const BlockContext& around) const;
  bool operator==(const DelightAttention&) const = default;
};

}  // namespace tfm

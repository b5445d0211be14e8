// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace tfm {

/// One grouped linear map of a DExTra unit: each of `groups` parts of the input has a matrix of its
/// own, (outputs / groups) x (inputs / groups).
struct GroupedSizes {
  std::int64_t inputs = 1;
  std::int64_t outputs = 1;
  std::int64_t groups = 1;
  bool operator==(const GroupedSizes&) const = default;
};

/// Variants of a DExTra unit.
struct DextraSwitches {
  bool rising_groups = true;  ///< otherwise all maps have the most groups
  bool mixer = true;          ///< otherwise a map reads only the output of the one before
};

/// The grouped maps of a DExTra unit, which first expand and then reduce (DeLighT: Mehta et al.
/// 2021, section 3.1, with the sizes of the official code). They begin with `projected` components
/// and end with `output`; half of the `depth` maps lead up to `widest`, and their groups double
/// from 2 up to `most_groups`; the others mirror them. Sizes are rounded up to a multiple of the
/// groups on both sides and of 8. Every map after the first also reads the projected input.
std::vector<GroupedSizes> dextraMaps(std::int64_t projected, std::int64_t output, double widest,
                                     std::int64_t depth, std::int64_t most_groups,
                                     DextraSwitches switches = {});

/// The groups that the official code allows for a hidden size: about one for 32 components, and a
/// power of two.
std::int64_t dextraGroups(std::int64_t hidden);

/// Depth and width of the DExTra unit of one block.
struct DextraScale {
  std::int64_t depth = 1;
  double width = 1.0;  ///< of the widest map, in hidden sizes
  bool operator==(const DextraScale&) const = default;
};

/// Deeper and wider blocks towards the output (section 3.2): depths from `least` to `most` and
/// widths from `width` to width + most / least - 1, in even steps. The official code rounds the
/// depths down, and the widths to three digits.
std::vector<DextraScale> blockwiseScaling(std::int64_t least, std::int64_t most, double width,
                                          std::int64_t blocks);

}  // namespace tfm

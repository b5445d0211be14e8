// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/delight.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"

namespace tfm {
namespace {

/// Number `i` of `count` in even steps from `first` to `last`, both of them included.
double evenStep(double first, double last, std::int64_t i, std::int64_t count) {
  if (count > 1 && i == count - 1) return last;
  return first + double(i) * ((last - first) / double(std::max<std::int64_t>(1, count - 1)));
}

std::int64_t multipleOf(std::int64_t part, std::int64_t size) {
  return (size + part - 1) / part * part;
}

}  // namespace

std::vector<GroupedSizes> dextraMaps(std::int64_t projected, std::int64_t output, double widest,
                                     std::int64_t depth, std::int64_t most_groups,
                                     DextraSwitches switches) {
  check(depth >= 2 && most_groups >= 1, "a DExTra unit has two maps at least");
  std::vector<GroupedSizes> maps(static_cast<std::size_t>(depth));
  const std::int64_t half = (depth + 1) / 2;
  for (std::int64_t i = 0; i < half; ++i) {
    GroupedSizes& map = maps[std::size_t(i)];
    const bool rising = switches.rising_groups && i < 62;
    map.groups = rising ? std::min(std::int64_t{2} << i, most_groups) : most_groups;
    map.outputs = std::int64_t(evenStep(double(projected), widest, i, half));
    maps[std::size_t(depth - 1 - i)] = map;
  }
  maps.front().inputs = projected;
  for (std::size_t i = 0; i + 1 < maps.size(); ++i) {
    const std::int64_t part = std::max({maps[i].groups, maps[i + 1].groups, std::int64_t{8}});
    maps[i].outputs = multipleOf(part, maps[i].outputs);
    maps[i + 1].inputs = maps[i].outputs + (switches.mixer ? projected : 0);
  }
  maps.back().outputs = output;
  return maps;
}

std::int64_t dextraGroups(std::int64_t hidden) {
  constexpr std::int64_t kComponents = 32;
  std::int64_t groups = 1;
  while (groups < hidden / kComponents) groups *= 2;
  return groups;
}

std::vector<DextraScale> blockwiseScaling(std::int64_t least, std::int64_t most, double width,
                                          std::int64_t blocks) {
  std::vector<DextraScale> scales;
  const double widest = width + double(most) / double(least) - 1.0;
  for (std::int64_t b = 0; b < blocks; ++b)
    scales.push_back({std::int64_t(evenStep(double(least), double(most), b, blocks)),
                      std::round(1000.0 * evenStep(width, widest, b, blocks)) / 1000.0});
  return scales;
}

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/split.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "core/base/check.h"

namespace tfm::data {

std::uint64_t stableHash(std::span<const std::int32_t> ids) {
  // FNV-1a, then the finaliser of SplitMix64, since FNV-1a mixes the high bits of short sequences
  // badly.
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const std::int32_t id : ids) hash = (hash ^ static_cast<std::uint32_t>(id)) * 0x100000001B3;
  hash = (hash ^ hash >> 30) * 0xBF58476D1CE4E5B9;
  hash = (hash ^ hash >> 27) * 0x94D049BB133111EB;
  return hash ^ hash >> 31;
}

std::uint64_t stableHash(std::string_view text) {
  // Signed on every machine, unlike char.
  const auto* bytes = reinterpret_cast<const signed char*>(text.data());
  return stableHash(std::vector<std::int32_t>(bytes, bytes + text.size()));
}

Split splitOf(std::uint64_t hash, double held_out) {
  const double share = static_cast<double>(hash >> 11) * 0x1.0p-53;
  return share < held_out ? Split::Evaluation : Split::Training;
}

std::uint64_t firstTrainedHash(const std::set<std::uint64_t>& hashes, double held_out) {
  const auto count = static_cast<std::int64_t>(hashes.size());
  check(count >= 2, "a split needs at least two examples");
  const std::int64_t wanted = std::llround(held_out * static_cast<double>(count));
  return *std::next(hashes.begin(), std::clamp<std::int64_t>(wanted, 1, count - 1));
}

}  // namespace tfm::data

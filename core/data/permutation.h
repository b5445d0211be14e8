// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/data/split.h"
#include "core/tensor/random_streams.h"

namespace tfm::data {

/// A shuffled order of 0 ... size-1 that needs no memory: a pure function of seed and epoch.
/// A Feistel network keyed by counter-based random numbers permutes the smallest power of four that
/// holds the size; results outside are permuted again until they fall inside (cycle walking), which
/// keeps it one-to-one.
class Permutation {
 public:
  /// size in 1 ... 2^40.
  Permutation(std::int64_t size, std::uint64_t seed, std::uint64_t epoch,
              std::uint32_t stream = streams::kOrder.first);

  /// The element at `position`; position in 0 ... size-1.
  std::int64_t operator()(std::int64_t position) const;

 private:
  std::uint64_t scramble(std::uint64_t value) const;

  std::int64_t size_;
  std::uint64_t seed_;
  std::uint64_t epoch_;
  std::uint32_t stream_;
  int half_bits_;
};

/// Which of `count` stored examples is number `index` of a side: training goes through them in
/// epochs, each in an order of its own, evaluation again and again in a fixed one.
std::int64_t storedNumber(Split split, std::int64_t count, std::uint64_t seed, std::uint64_t index);

}  // namespace tfm::data

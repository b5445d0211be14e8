// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/data/split.h"
#include "core/tensor/random_streams.h"

namespace tfm::data {

/// A random permutation of 0 to size - 1 in constant memory: a pure function of seed and epoch. A
/// Feistel network keyed by counter-based random numbers permutes the smallest power of four >=
/// size; results >= size are permuted again (cycle walking), which keeps it one-to-one.
class Permutation {
 public:
  /// 1 <= size <= 2^40.
  Permutation(std::int64_t size, std::uint64_t seed, std::uint64_t epoch,
              std::uint32_t stream = streams::kOrder.first);

  /// The element at `position`, 0 <= position < size.
  std::int64_t operator()(std::int64_t position) const;

 private:
  std::uint64_t scramble(std::uint64_t value) const;

  std::int64_t size_;
  std::uint64_t seed_;
  std::uint64_t epoch_;
  std::uint32_t stream_;
  int half_bits_;
};

/// Which of `count` stored examples is example `index` of a side. Training shuffles them for each
/// epoch; evaluation repeats them in a fixed order.
std::int64_t storedNumber(Split split, std::int64_t count, std::uint64_t seed, std::uint64_t index);

}  // namespace tfm::data

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/permutation.h"

#include <bit>

#include "core/base/check.h"
#include "core/tensor/random.h"

namespace tfm::data {
namespace {

// Four rounds make a Feistel network indistinguishable from a random permutation (Luby and Rackoff
// 1988) if the halves are long; two more for the short halves of small files.
constexpr std::uint64_t kRounds = 6;

}  // namespace

Permutation::Permutation(std::int64_t size, std::uint64_t seed, std::uint64_t epoch,
                         std::uint32_t stream)
    : size_(size), seed_(seed), epoch_(epoch), stream_(stream) {
  check(size >= 1 && size <= std::int64_t{1} << 40, "a permutation has 1 to 2^40 elements");
  const int bits = std::bit_width(static_cast<std::uint64_t>(size - 1));
  half_bits_ = bits < 2 ? 1 : (bits + 1) / 2;
}

std::int64_t Permutation::operator()(std::int64_t position) const {
  check(position >= 0 && position < size_, "the position must be below the size");
  auto value = static_cast<std::uint64_t>(position);
  do value = scramble(value);
  while (value >= static_cast<std::uint64_t>(size_));
  return static_cast<std::int64_t>(value);
}

std::uint64_t Permutation::scramble(std::uint64_t value) const {
  const Random random(seed_, stream_, epoch_);
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  std::uint64_t left = value >> half_bits_;
  std::uint64_t right = value & mask;
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    const std::uint64_t next = left ^ (random.bits(round << 32 | right) & mask);
    left = right;
    right = next;
  }
  return left << half_bits_ | right;
}

std::int64_t storedNumber(Split split, std::int64_t count, std::uint64_t seed,
                          std::uint64_t index) {
  const auto size = static_cast<std::uint64_t>(count);
  const auto number = static_cast<std::int64_t>(index % size);
  return split == Split::Training ? Permutation(count, seed, index / size)(number) : number;
}

}  // namespace tfm::data

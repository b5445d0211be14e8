// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/random.h"

#include <cmath>
#include <numbers>

#include "core/base/check.h"
#include "core/tensor/portable_math.h"

namespace tfm {
namespace {

using Counter = std::array<std::uint32_t, 4>;

Counter philoxRound(const Counter& c, std::uint32_t k0, std::uint32_t k1) {
  const std::uint64_t a = std::uint64_t{0xD2511F53} * c[0];
  const std::uint64_t b = std::uint64_t{0xCD9E8D57} * c[2];
  return {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(b),
          static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(a)};
}

double unitInterval(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (std::uint64_t{high} << 32 | low) >> 11;
  return static_cast<double>(bits) * 0x1.0p-53;
}

}  // namespace

Random::Random(std::uint64_t seed, std::uint32_t stream, std::uint64_t step)
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
      stream_(stream),
      step_(step) {}

std::array<std::uint32_t, 4> Random::block(std::uint64_t index) const {
  // The 128-bit counter: 40 bits of the index, 24 of the stream, 64 of the step.
  Counter c{static_cast<std::uint32_t>(index),
            static_cast<std::uint32_t>(index >> 32) << 24 | (stream_ & 0xFFFFFF),
            static_cast<std::uint32_t>(step_), static_cast<std::uint32_t>(step_ >> 32)};
  std::uint32_t k0 = key_[0];
  std::uint32_t k1 = key_[1];
  for (int round = 0; round < 10; ++round) {
    c = philoxRound(c, k0, k1);
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return c;
}

std::uint32_t Random::bits(std::uint64_t index) const { return block(index)[0]; }

double Random::uniform(std::uint64_t index) const {
  const Counter b = block(index);
  return unitInterval(b[0], b[1]);
}

std::int64_t Random::integer(std::uint64_t index, std::int64_t bound) const {
  check(bound > 0, "the bound of a random integer must be positive");
  return static_cast<std::int64_t>(uniform(index) * static_cast<double>(bound));
}

double Random::normal(std::uint64_t index) const {
  const Counter b = block(index);
  const double radius = std::sqrt(-2.0 * portable::log(1.0 - unitInterval(b[0], b[1])));
  return radius * portable::cos(2.0 * std::numbers::pi * unitInterval(b[2], b[3]));
}

double Random::truncatedNormal(std::uint64_t index) const {
  // Rejection sampling from counters reserved for this index keeps the draw a pure function.
  for (std::uint64_t attempt = 0;; ++attempt) {
    const double value = normal(index | attempt << 34);
    if (std::abs(value) <= 2.0) return value;
  }
}

}  // namespace tfm

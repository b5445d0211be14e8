// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace tfm {

/// Counter-based random numbers: a pure function (seed, stream, step, index) -> value, so that any
/// thread can draw any number in any order and get the same one. Philox4x32-10 (Salmon et al., SC
/// 2011).
class Random {
 public:
  /// A stream is one use (a dropout site, a parameter's initial values); a step is its moment in
  /// time.
  Random(std::uint64_t seed, std::uint32_t stream, std::uint64_t step = 0);

  /// 32 uniform bits for `index`.
  std::uint32_t bits(std::uint64_t index) const;
  /// Uniform in [0, 1), 53 bits.
  double uniform(std::uint64_t index) const;
  /// Uniform integer in [0, bound); bound > 0.
  std::int64_t integer(std::uint64_t index, std::int64_t bound) const;
  /// Standard normal (Box-Muller).
  double normal(std::uint64_t index) const;
  /// Standard normal cut off at two standard deviations, as flax's truncated_normal draws it.
  double truncatedNormal(std::uint64_t index) const;

 private:
  std::array<std::uint32_t, 4> block(std::uint64_t index) const;

  std::array<std::uint32_t, 2> key_;
  std::uint32_t stream_;
  std::uint64_t step_;
};

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace tfm {

/// Counter-based random numbers: a pure function (seed, stream, step, index) -> value, independent
/// of the thread and the order of draws. Philox4x32-10 (Salmon et al., SC 2011).
class Random {
 public:
  /// A stream is one use of random numbers (e.g. a dropout layer, the initial values of a
  /// parameter); `step` is usually the training step.
  Random(std::uint64_t seed, std::uint32_t stream, std::uint64_t step = 0);

  /// 32 uniform bits for `index`.
  std::uint32_t bits(std::uint64_t index) const;
  /// Uniform in [0, 1), 53 bits.
  double uniform(std::uint64_t index) const;
  /// Uniform integer in [0, bound); bound > 0.
  std::int64_t integer(std::uint64_t index, std::int64_t bound) const;
  /// Standard normal (Box-Muller).
  double normal(std::uint64_t index) const;
  /// Standard normal truncated to [-2, 2], as flax's truncated_normal.
  double truncatedNormal(std::uint64_t index) const;

 private:
  std::array<std::uint32_t, 4> block(std::uint64_t index) const;

  std::array<std::uint32_t, 2> key_;
  std::uint32_t stream_;
  std::uint64_t step_;
};

}  // namespace tfm

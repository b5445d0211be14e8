// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "core/tensor/aligned_vector.h"

namespace tfm::cpu {

/// Scratch memory of the calling thread, kept between calls so that a training step allocates
/// nothing: arrays of the given sizes, each aligned to a cache line. Invalidated by the next call.
template <class Real, class... Sizes>
std::array<Real*, sizeof...(Sizes)> scratch(Sizes... sizes) {
  thread_local AlignedVector<Real> memory;
  constexpr std::int64_t kLine = 64 / sizeof(Real);
  const std::array<std::int64_t, sizeof...(Sizes)> lengths{(sizes + kLine - 1) / kLine * kLine...};
  std::int64_t total = 0;
  for (const std::int64_t length : lengths) total += length;
  if (std::int64_t(memory.size()) < total) memory.resize(std::size_t(total));
  std::array<Real*, sizeof...(Sizes)> result;
  Real* next = memory.data();
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    result[i] = next;
    next += lengths[i];
  }
  return result;
}

}  // namespace tfm::cpu

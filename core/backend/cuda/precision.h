// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime.h>

#include <bit>
#include <cstdint>

namespace tfm::cuda {

/// The precision of the factors in large products of floats; the sums are in single precision.
enum class Precision { Float, Tf32, Bf16 };

/// The nearest number of a precision: TF32 has 10 fraction bits and rounds ties away from zero;
/// bfloat16 has 7 and rounds ties to even.
template <Precision precision>
__host__ __device__ float rounded(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const bool finite = (bits & 0x7F800000U) != 0x7F800000U;
  if constexpr (precision == Precision::Tf32)
    if (finite) return std::bit_cast<float>((bits + 0x1000U) & 0xFFFFE000U);
  if constexpr (precision == Precision::Bf16)
    if (finite) return std::bit_cast<float>((bits + 0x7FFFU + (bits >> 16 & 1U)) & 0xFFFF0000U);
  return x;
}

}  // namespace tfm::cuda

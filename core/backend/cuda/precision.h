// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime.h>

#include <bit>
#include <cstdint>

namespace tfm::cuda {

/// How exactly large products of single precision are multiplied. Their sums are of single
/// precision.
enum class Precision { Float, Tf32, Bf16 };

/// The nearest number of a precision: TF32 has 10 bits of the fraction and takes halves away from
/// zero, bfloat16 has 7 and takes them to the even one.
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/backend/cuda/device.h"
#include "core/backend/cuda/precision.h"

// Products of a warp on tensor cores (PTX ISA, "mma.sync" m16n8k8 of .tf32 and m16n8k16 of .bf16).
namespace tfm::cuda {

/// The share of a thread in sums += a b, a: 16 x kDepth, b: kDepth x 8, of rounded numbers.
template <Precision precision>
struct WarpProduct {
  static constexpr int kRows = 16, kCols = 8;
  static constexpr int kPacked = precision == Precision::Bf16 ? 2 : 1;  // numbers of a register
  static constexpr int kDepth = 8 * kPacked;

  __device__ static int group() { return int(threadIdx.x) % int(kWarp) / 4; }
  __device__ static int member() { return int(threadIdx.x) % 4; }

  /// Of the left operand, at(row, k).
  struct Left {
    std::uint32_t numbers[4];
    template <class At>
    __device__ explicit Left(const At& at) {
      for (int i = 0; i < 4; ++i)
        numbers[i] = packed(i / 2, [&](int k) { return at(group() + i % 2 * 8, k); });
    }
  };
  /// Of the right operand, at(k, col).
  struct Right {
    std::uint32_t numbers[2];
    template <class At>
    __device__ explicit Right(const At& at) {
      for (int i = 0; i < 2; ++i) numbers[i] = packed(i, [&](int k) { return at(k, group()); });
    }
  };
  struct Sums {
    float numbers[4] = {};
    __device__ static int row(int i) { return group() + i / 2 * 8; }
    __device__ static int col(int i) { return member() * 2 + i % 2; }

    /// Called by every thread of the warp.
    __device__ void add(const Left& a, const Right& b) {
#ifndef __CUDACC__
      simulated::multiplyAdd(numbers, a.numbers, b.numbers, kPacked);
#else
      float* s = numbers;
      if constexpr (precision == Precision::Bf16)
        asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
            "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
            : "r"(a.numbers[0]), "r"(a.numbers[1]), "r"(a.numbers[2]), "r"(a.numbers[3]),
              "r"(b.numbers[0]), "r"(b.numbers[1]));
      else
        asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
            "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
            : "r"(a.numbers[0]), "r"(a.numbers[1]), "r"(a.numbers[2]), "r"(a.numbers[3]),
              "r"(b.numbers[0]), "r"(b.numbers[1]));
#endif
    }
  };

 private:
  /// The thread's numbers of a half of the depth; in pairs, the first one has the lower bits.
  template <class At>
  __device__ static std::uint32_t packed(int half, const At& at) {
    const int k = (half * 4 + member()) * kPacked;
    const auto first = std::bit_cast<std::uint32_t>(at(k));
    if constexpr (kPacked == 1)
      return first;
    else
      return (std::bit_cast<std::uint32_t>(at(k + 1)) & 0xFFFF0000U) | first >> 16;
  }
};

}  // namespace tfm::cuda

// SPDX-License-Identifier: GPL-3.0-or-later
// Vector registers for kernels that are compiled once per instruction set: their .cpp file includes
// hwy/foreach_target.h, which includes it again for each. Headers of kernels are therefore also
// included several times and have this guard instead of #pragma once.
#if defined(TFM_CPU_VECTORS_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TFM_CPU_VECTORS_H
#undef TFM_CPU_VECTORS_H
#else
#define TFM_CPU_VECTORS_H
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace tfm::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class Real>
using Tag = hn::ScalableTag<Real>;
/// One vector register. Arrays of them stay in registers only if loops over them are unrolled.
template <class Real>
using Lane = hn::Vec<Tag<Real>>;

/// Numbers in one register.
template <class Real>
inline constexpr std::int64_t kTile = HWY_LANES(Real);

/// The smallest multiple of kTile that is at least `cols`.
template <class Real>
constexpr std::int64_t padded(std::int64_t cols) {
  return (cols + kTile<Real> - 1) / kTile<Real> * kTile<Real>;
}

template <class Real>
HWY_INLINE Lane<Real> allOf(Real value) {
  return hn::Set(Tag<Real>(), value);
}
template <class Real>
HWY_INLINE Lane<Real> loadLane(const Real* from) {
  return hn::LoadU(Tag<Real>(), from);
}
template <class Real>
HWY_INLINE void storeLane(Real* to, Lane<Real> lane) {
  hn::StoreU(lane, Tag<Real>(), to);
}

/// The register with all lanes after the first `count` set to zero.
template <class Real>
HWY_INLINE Lane<Real> firstOf(Lane<Real> lane, std::int64_t count) {
  return hn::IfThenElseZero(hn::FirstN(Tag<Real>(), std::size_t(count)), lane);
}
/// Loads `count` < kTile numbers, the other lanes are zero. Does not read beyond them.
template <class Real>
HWY_INLINE Lane<Real> loadFirst(const Real* from, std::int64_t count) {
#if HWY_CAP_GE256
  return hn::MaskedLoad(hn::FirstN(Tag<Real>(), std::size_t(count)), Tag<Real>(), from);
#else
  HWY_ALIGN Real numbers[kTile<Real>] = {};
  for (std::int64_t i = 0; i < count; ++i) numbers[i] = from[i];
  return loadLane(numbers);
#endif
}
template <class D>
HWY_INLINE void storeFirst(D d, hn::TFromD<D>* to, hn::Vec<D> v, std::int64_t count) {
#if HWY_CAP_GE512
  hn::BlendedStore(v, hn::FirstN(d, std::size_t(count)), d, to);
#else
  // Stores by fours, twos and ones: a masked store takes tens of cycles on some processors.
  if constexpr (hn::MaxLanes(d) > 1) {
    const hn::Half<D> half;
    constexpr std::int64_t kHalf = hn::MaxLanes(half);
    hn::Vec<hn::Half<D>> part = hn::LowerHalf(half, v);
    if ((count & kHalf) != 0) {
      hn::StoreU(part, half, to);
      part = hn::UpperHalf(half, v);
      to += kHalf;
    }
    storeFirst(half, to, part, count);
  }
#endif
}

/// Loads one register, or the `left` numbers that remain.
template <class Real>
HWY_INLINE Lane<Real> loadSome(const Real* from, std::int64_t left) {
  return left >= kTile<Real> ? loadLane(from) : loadFirst(from, left);
}
template <class Real>
HWY_INLINE void storeSome(Real* to, Lane<Real> lane, std::int64_t left) {
  if (left >= kTile<Real>)
    storeLane(to, lane);
  else
    storeFirst(Tag<Real>(), to, lane, left);
}

template <class Real>
HWY_INLINE Real sumOf(Lane<Real> lane) {
  // In an order of our own where KernelSet::Fixed may be: that of SumOfLanes depends on the target.
  if constexpr (kTile<Real> * sizeof(Real) != 16) {
    return hn::GetLane(hn::SumOfLanes(Tag<Real>(), lane));
  } else if constexpr (kTile<Real> == 4) {
    const Lane<Real> pairs = hn::Add(lane, hn::Shuffle1032(lane));
    return hn::GetLane(hn::Add(pairs, hn::Shuffle0321(pairs)));
  } else {
    return hn::GetLane(hn::Add(lane, hn::Shuffle01(lane)));
  }
}

/// Calls work(j, left) for each register of a row of `cols` numbers: the first column, and how many
/// numbers remain from there.
template <class Real, class Work>
HWY_INLINE void overRow(std::int64_t cols, const Work& work) {
  for (std::int64_t j = 0; j < cols; j += kTile<Real>) work(j, cols - j);
}

/// Transposes the square matrix of kTile registers in place.
template <class Real>
HWY_INLINE void transposeSquare(Lane<Real> (&row)[kTile<Real>]) {
  const Tag<Real> d;
  constexpr int kSide = kTile<Real>;
  constexpr int kBlock = 16 / sizeof(Real);  // numbers that stay together in the second part
  // First transpose blocks of kBlock x kBlock numbers.
#pragma GCC unroll 16
  for (int r = 0; r < kSide; r += kBlock) {
    if constexpr (kBlock == 4) {
      const hn::Repartition<double, Tag<Real>> wide;
      const auto pairs = [&](Lane<Real> v) { return hn::BitCast(wide, v); };
      const auto ab_low = pairs(hn::InterleaveLower(d, row[r], row[r + 1]));
      const auto ab_high = pairs(hn::InterleaveUpper(d, row[r], row[r + 1]));
      const auto cd_low = pairs(hn::InterleaveLower(d, row[r + 2], row[r + 3]));
      const auto cd_high = pairs(hn::InterleaveUpper(d, row[r + 2], row[r + 3]));
      row[r] = hn::BitCast(d, hn::InterleaveLower(wide, ab_low, cd_low));
      row[r + 1] = hn::BitCast(d, hn::InterleaveUpper(wide, ab_low, cd_low));
      row[r + 2] = hn::BitCast(d, hn::InterleaveLower(wide, ab_high, cd_high));
      row[r + 3] = hn::BitCast(d, hn::InterleaveUpper(wide, ab_high, cd_high));
    } else {
      const Lane<Real> low = hn::InterleaveLower(d, row[r], row[r + 1]);
      row[r + 1] = hn::InterleaveUpper(d, row[r], row[r + 1]);
      row[r] = low;
    }
  }
  // Then exchange the blocks: halves of registers, and the blocks of each half.
  const auto swapHalves = [&](Lane<Real>& a, Lane<Real>& b) {
    const Lane<Real> low = hn::ConcatLowerLower(d, b, a);
    b = hn::ConcatUpperUpper(d, b, a);
    a = low;
  };
#pragma GCC unroll 4
  for (int i = 0; i < kBlock; ++i) {
    if constexpr (kSide == 2 * kBlock) swapHalves(row[i], row[i + kBlock]);
    if constexpr (kSide == 4 * kBlock) {
      swapHalves(row[i], row[i + 2 * kBlock]);
      swapHalves(row[i + kBlock], row[i + 3 * kBlock]);
#pragma GCC unroll 2
      for (int r = i; r < kSide; r += 2 * kBlock) {
        const Lane<Real> a = row[r], b = row[r + kBlock];
        // What changes places, in one register: half as many shuffles as each by itself.
        const Lane<Real> moved = hn::SwapAdjacentBlocks(hn::OddEvenBlocks(a, b));
        row[r] = hn::OddEvenBlocks(moved, a);
        row[r + kBlock] = hn::OddEvenBlocks(b, moved);
      }
    }
  }
}

}  // namespace tfm::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

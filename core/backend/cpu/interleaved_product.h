// SPDX-License-Identifier: GPL-3.0-or-later
#if defined(TFM_CPU_INTERLEAVED_PRODUCT_H) == defined(HWY_TARGET_TOGGLE)  // see vectors.h
#ifdef TFM_CPU_INTERLEAVED_PRODUCT_H
#undef TFM_CPU_INTERLEAVED_PRODUCT_H
#else
#define TFM_CPU_INTERLEAVED_PRODUCT_H
#endif

#include <algorithm>
#include <array>
#include <type_traits>

#include "core/backend/cpu/vectors.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::cpu::HWY_NAMESPACE {
/// As many matrices of one shape as a register has lanes, interleaved: a register holds one element
/// of each. Strides count registers.
template <class Real>
struct Interleaved {
  Real* data;
  std::int64_t row_stride;
  std::int64_t col_stride;

  Real* at(std::int64_t row, std::int64_t col) const {
    return data + (row * row_stride + col * col_stride) * kTile<Real>;
  }
  Interleaved transposed() const { return {data, col_stride, row_stride}; }
  Interleaved from(std::int64_t row, std::int64_t col) const {
    return {at(row, col), row_stride, col_stride};
  }
};

/// Matrices of one shape in memory, one per lane of a register. Only the first `count` are written.
template <class Real>
struct HeadRows {
  std::array<Real*, kTile<std::remove_const_t<Real>>> first;
  std::int64_t stride;
  std::int64_t cols;
  std::int64_t count;
};

/// Writes (or adds) register r * cols + c of `from` to element (r, c) of all matrices, for the
/// first `rows` rows.
template <bool kAdd, class Real>
void deinterleave(const HeadRows<Real>& to, const Real* from, std::int64_t rows) {
  constexpr std::int64_t kSide = kTile<Real>;
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < to.cols; c += kSide) {
      const std::int64_t cols = std::min(kSide, to.cols - c);
      const Real* source = from + (r * to.cols + c) * kSide;
      Lane<Real> block[kSide];
#pragma GCC unroll 16
      for (std::int64_t i = 0; i < kSide; ++i)
        block[i] = i < cols ? loadLane(source + i * kSide) : allOf(Real(0));
      transposeSquare<Real>(block);
      const auto row = [&](std::int64_t l) { return to.first[std::size_t(l)] + r * to.stride + c; };
      // Read all before writing: adjacent heads overlap, and loads right after stores are slow.
      if constexpr (kAdd)
#pragma GCC unroll 16
        for (std::int64_t l = 0; l < kSide; ++l)
          block[l] = hn::Add(block[l], loadSome(row(l), cols));
#pragma GCC unroll 16
      for (std::int64_t l = 0; l < kSide; ++l) {
        if (l >= to.count) break;
        storeSome(row(l), block[l], cols);
      }
    }
  }
}

/// The first `kRows` rows and `kCols` columns of c, held in registers over the whole depth.
template <class Real, int kRows, int kCols>
void interleavedTile(Interleaved<Real> c, Interleaved<Real> a, Interleaved<Real> b,
                     std::int64_t depth, bool add) {
  Lane<Real> sum[kRows][kCols];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 3
    for (int n = 0; n < kCols; ++n) sum[r][n] = add ? loadLane(c.at(r, n)) : allOf(Real(0));
  for (std::int64_t k = 0; k < depth; ++k) {
    Lane<Real> right[kCols];
#pragma GCC unroll 3
    for (int n = 0; n < kCols; ++n) right[n] = loadLane(b.at(k, n));
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      const Lane<Real> left = loadLane(a.at(r, k));
#pragma GCC unroll 3
      for (int n = 0; n < kCols; ++n) sum[r][n] = hn::MulAdd(left, right[n], sum[r][n]);
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 3
    for (int n = 0; n < kCols; ++n) storeLane(c.at(r, n), sum[r][n]);
}

/// `kRows` rows of c, all columns.
template <class Real, int kRows>
void interleavedRows(Interleaved<Real> c, Interleaved<Real> a, Interleaved<Real> b,
                     std::int64_t cols, std::int64_t depth, bool add) {
  std::int64_t n = 0;
  for (; n + 3 <= cols; n += 3)
    interleavedTile<Real, kRows, 3>(c.from(0, n), a, b.from(0, n), depth, add);
  const std::int64_t rest = cols - n;
  if (rest == 2) interleavedTile<Real, kRows, 2>(c.from(0, n), a, b.from(0, n), depth, add);
  if (rest == 1) interleavedTile<Real, kRows, 1>(c.from(0, n), a, b.from(0, n), depth, add);
}

/// The inverse of deinterleave().
template <class Real>
void interleave(Real* to, const HeadRows<const Real>& from, std::int64_t rows) {
  constexpr std::int64_t kSide = kTile<Real>;
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < from.cols; c += kSide) {
      const std::int64_t cols = std::min(kSide, from.cols - c);
      Lane<Real> block[kSide];
#pragma GCC unroll 16
      for (std::int64_t l = 0; l < kSide; ++l)
        block[l] = loadSome(from.first[std::size_t(l)] + r * from.stride + c, cols);
      transposeSquare<Real>(block);
      Real* target = to + (r * from.cols + c) * kSide;
#pragma GCC unroll 16
      for (std::int64_t i = 0; i < kSide; ++i) {
        if (i >= cols) break;
        storeLane(target + i * kSide, block[i]);
      }
    }
  }
}

/// c = a b, or c += a b.   c: rows x cols, a: rows x depth, b: depth x cols
template <class Real>
void interleavedProduct(Interleaved<Real> c, Interleaved<Real> a, Interleaved<Real> b,
                        std::int64_t rows, std::int64_t cols, std::int64_t depth, bool add) {
  std::int64_t r = 0;
  for (; r + 4 <= rows; r += 4)
    interleavedRows<Real, 4>(c.from(r, 0), a.from(r, 0), b, cols, depth, add);
  const auto rest = rows - r;
  if (rest == 3) interleavedRows<Real, 3>(c.from(r, 0), a.from(r, 0), b, cols, depth, add);
  if (rest == 2) interleavedRows<Real, 2>(c.from(r, 0), a.from(r, 0), b, cols, depth, add);
  if (rest == 1) interleavedRows<Real, 1>(c.from(r, 0), a.from(r, 0), b, cols, depth, add);
}

}  // namespace tfm::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/interleaved_product.h"

#include <algorithm>

namespace tfm::cpu {
namespace {

namespace ei = Eigen::internal;

/// One register a matrix: a row's numbers from some column on.
template <class Real>
using Block = ei::PacketBlock<Lane<Real>, int(kTile<Real>)>;

template <class Real, bool kAdd>
void wayBack(const HeadRows<Real>& to, const Real* from, std::int64_t rows) {
  constexpr std::int64_t kSide = kTile<Real>;
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < to.cols; c += kSide) {
      const std::int64_t cols = std::min(kSide, to.cols - c);
      const Real* source = from + (r * to.cols + c) * kSide;
      Block<Real> block;
#pragma GCC unroll 16
      for (std::int64_t i = 0; i < kSide; ++i)
        block.packet[i] = i < cols ? loadLane(source + i * kSide) : allOf(Real(0));
      ei::ptranspose(block);
      const auto row = [&](std::int64_t l) { return to.first[std::size_t(l)] + r * to.stride + c; };
      // Neighbouring heads share registers' worth of memory: what was just written is read slowly.
      if constexpr (kAdd)
#pragma GCC unroll 16
        for (std::int64_t l = 0; l < kSide; ++l)
          block.packet[l] = ei::padd(block.packet[l], loadSome<Real>(row(l), cols));
#pragma GCC unroll 16
      for (std::int64_t l = 0; l < kSide; ++l) {
        if (l >= to.count) break;
        storeSome(row(l), block.packet[l], cols);
      }
    }
  }
}

/// The first `kRows` rows and `kCols` columns of c, held in registers over the whole depth.
template <class Real, int kRows, int kCols>
void tile(Interleaved<Real> c, Interleaved<Real> a, Interleaved<Real> b, std::int64_t depth,
          bool add) {
  Lane<Real> sum[kRows][kCols];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 3
    for (int n = 0; n < kCols; ++n) sum[r][n] = add ? loadLane<Real>(c.at(r, n)) : allOf(Real(0));
  for (std::int64_t k = 0; k < depth; ++k) {
    Lane<Real> right[kCols];
#pragma GCC unroll 3
    for (int n = 0; n < kCols; ++n) right[n] = loadLane<Real>(b.at(k, n));
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      const Lane<Real> left = loadLane<Real>(a.at(r, k));
#pragma GCC unroll 3
      for (int n = 0; n < kCols; ++n) sum[r][n] = ei::pmadd(left, right[n], sum[r][n]);
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 3
    for (int n = 0; n < kCols; ++n) storeLane(c.at(r, n), sum[r][n]);
}

/// `kRows` rows of c, all columns.
template <class Real, int kRows>
void rowsOf(Interleaved<Real> c, Interleaved<Real> a, Interleaved<Real> b, std::int64_t cols,
            std::int64_t depth, bool add) {
  std::int64_t n = 0;
  for (; n + 3 <= cols; n += 3) tile<Real, kRows, 3>(c.from(0, n), a, b.from(0, n), depth, add);
  const std::int64_t rest = cols - n;
  if (rest == 2) tile<Real, kRows, 2>(c.from(0, n), a, b.from(0, n), depth, add);
  if (rest == 1) tile<Real, kRows, 1>(c.from(0, n), a, b.from(0, n), depth, add);
}

}  // namespace

template <class Real>
void interleave(Real* to, const HeadRows<const Real>& from, std::int64_t rows) {
  constexpr std::int64_t kSide = kTile<Real>;
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < from.cols; c += kSide) {
      const std::int64_t cols = std::min(kSide, from.cols - c);
      Block<Real> block;
#pragma GCC unroll 16
      for (std::int64_t l = 0; l < kSide; ++l)
        block.packet[l] = loadSome(from.first[std::size_t(l)] + r * from.stride + c, cols);
      ei::ptranspose(block);
      Real* target = to + (r * from.cols + c) * kSide;
#pragma GCC unroll 16
      for (std::int64_t i = 0; i < kSide; ++i) {
        if (i >= cols) break;
        storeLane(target + i * kSide, block.packet[i]);
      }
    }
  }
}

template <class Real>
void deinterleave(const HeadRows<Real>& to, const Real* from, std::int64_t rows) {
  wayBack<Real, false>(to, from, rows);
}

template <class Real>
void addDeinterleaved(const HeadRows<Real>& to, const Real* from, std::int64_t rows) {
  wayBack<Real, true>(to, from, rows);
}

template <class Real>
void interleavedProduct(Interleaved<Real> c, Interleaved<Real> a, Interleaved<Real> b,
                        std::int64_t rows, std::int64_t cols, std::int64_t depth, bool add) {
  std::int64_t r = 0;
  for (; r + 4 <= rows; r += 4) rowsOf<Real, 4>(c.from(r, 0), a.from(r, 0), b, cols, depth, add);
  const auto rest = rows - r;
  if (rest == 3) rowsOf<Real, 3>(c.from(r, 0), a.from(r, 0), b, cols, depth, add);
  if (rest == 2) rowsOf<Real, 2>(c.from(r, 0), a.from(r, 0), b, cols, depth, add);
  if (rest == 1) rowsOf<Real, 1>(c.from(r, 0), a.from(r, 0), b, cols, depth, add);
}

#define TFM_INSTANTIATE(Real)                                                               \
  template void interleave(Real*, const HeadRows<const Real>&, std::int64_t);               \
  template void deinterleave(const HeadRows<Real>&, const Real*, std::int64_t);             \
  template void addDeinterleaved(const HeadRows<Real>&, const Real*, std::int64_t);         \
  template void interleavedProduct(Interleaved<Real>, Interleaved<Real>, Interleaved<Real>, \
                                   std::int64_t, std::int64_t, std::int64_t, bool);
TFM_INSTANTIATE(float)
TFM_INSTANTIATE(double)
#undef TFM_INSTANTIATE

}  // namespace tfm::cpu

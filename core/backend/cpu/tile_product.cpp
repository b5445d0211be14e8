// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/tile_product.h"

#include <algorithm>

#include "core/backend/cpu/lanes.h"

namespace tfm::cpu {
namespace {

/// `kRows` rows by `kWidth` registers of c at once, held in registers over the whole depth. Where
/// `kWhole` is false the last register has only `left` columns.
template <class Real, int kRows, int kWidth, bool kWhole>
void tile(MatrixView<Real> c, StridedMatrix<Real> a, const Real* b, std::int64_t b_stride,
          std::int64_t depth, std::int64_t left, Into into) {
  using Eigen::internal::padd;
  using Eigen::internal::pmadd;
  Lane<Real> sum[kRows][kWidth];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 2
    for (int w = 0; w < kWidth; ++w) sum[r][w] = allOf(Real(0));
  for (std::int64_t k = 0; k < depth; ++k) {
    Lane<Real> right[kWidth];
#pragma GCC unroll 2
    for (int w = 0; w < kWidth; ++w) {
      const Real* from = b + k * b_stride + w * kTile<Real>;
      right[w] = kWhole || w + 1 < kWidth ? loadLane(from) : loadFirst(from, left);
    }
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      const Lane<Real> factor = allOf(a.data[r * a.row_stride + k * a.col_stride]);
#pragma GCC unroll 2
      for (int w = 0; w < kWidth; ++w) sum[r][w] = pmadd(factor, right[w], sum[r][w]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int w = 0; w < kWidth; ++w) {
      Real* to = c.row(r) + w * kTile<Real>;
      const bool whole = kWhole || w + 1 < kWidth;
      if (into == Into::Accumulate)
        sum[r][w] = padd(sum[r][w], whole ? loadLane<Real>(to) : loadFirst(to, left));
      if (whole)
        storeLane(to, sum[r][w]);
      else
        storeFirst(to, sum[r][w], left);
    }
  }
}

/// All rows of `kWidth` registers of columns.
template <class Real, int kWidth, bool kWhole>
void columns(MatrixView<Real> c, StridedMatrix<Real> a, MatrixView<const Real> b, std::int64_t left,
             Into into) {
  // Eight sums in flight hide the latency of a fused multiply-add.
  constexpr int kRows = kWidth == 1 ? 8 : 4;
  const auto from = [&](std::int64_t row) {
    return StridedMatrix<Real>{a.data + row * a.row_stride, a.row_stride, a.col_stride};
  };
  std::int64_t row = 0;
  for (; c.rows - row >= kRows; row += kRows)
    tile<Real, kRows, kWidth, kWhole>(c.rowsFrom(row, kRows), from(row), b.data, b.stride, b.rows,
                                      left, into);
  if (kRows == 8 && c.rows - row >= 4) {
    tile<Real, 4, kWidth, kWhole>(c.rowsFrom(row, 4), from(row), b.data, b.stride, b.rows, left,
                                  into);
    row += 4;
  }
  for (; row < c.rows; ++row)
    tile<Real, 1, kWidth, kWhole>(c.rowsFrom(row, 1), from(row), b.data, b.stride, b.rows, left,
                                  into);
}

}  // namespace

template <class Real>
void tileProduct(MatrixView<Real> c, StridedMatrix<Real> a, MatrixView<const Real> b, Into into) {
  constexpr std::int64_t kOne = kTile<Real>;
  constexpr std::int64_t kTwo = 2 * kTile<Real>;
  std::int64_t col = 0;
  const auto part = [&](auto m, std::int64_t width) { return m.colsFrom(col, width); };
  for (; c.cols - col >= kTwo; col += kTwo)
    columns<Real, 2, true>(part(c, kTwo), a, part(b, kTwo), 0, into);
  const std::int64_t rest = c.cols - col;
  if (rest > kOne)
    columns<Real, 2, false>(part(c, rest), a, part(b, rest), rest - kOne, into);
  else if (rest == kOne)
    columns<Real, 1, true>(part(c, rest), a, part(b, rest), 0, into);
  else if (rest > 0)
    columns<Real, 1, false>(part(c, rest), a, part(b, rest), rest, into);
}

namespace {

/// One square block: y (cols x rows) = x (rows x cols)^T, both at most kTile. The rest of y's rows,
/// up to `width` numbers, is zero.
template <class Real>
void transposeBlock(Real* y, std::int64_t y_stride, const Real* x, std::int64_t x_stride,
                    std::int64_t rows, std::int64_t cols, std::int64_t width) {
  constexpr int kSide = int(kTile<Real>);
  Eigen::internal::PacketBlock<Lane<Real>, kSide> block;
#pragma GCC unroll 16
  for (int r = 0; r < kSide; ++r)
    block.packet[r] = r >= rows       ? allOf(Real(0))
                      : cols == kSide ? loadLane(x + r * x_stride)
                                      : loadFirst(x + r * x_stride, cols);
  Eigen::internal::ptranspose(block);
#pragma GCC unroll 16
  for (int c = 0; c < kSide; ++c) {
    if (c >= cols) break;
    if (width >= kSide)
      storeLane(y + c * y_stride, block.packet[c]);
    else
      storeFirst(y + c * y_stride, block.packet[c], width);
  }
}

}  // namespace

template <class Real>
void transpose(MatrixView<Real> y, MatrixView<const Real> x) {
  constexpr std::int64_t kSide = kTile<Real>;
  for (std::int64_t r = 0; r < y.cols; r += kSide)
    for (std::int64_t c = 0; c < x.cols; c += kSide)
      transposeBlock(y.data + c * y.stride + r, y.stride, x.data + r * x.stride + c, x.stride,
                     std::clamp<std::int64_t>(x.rows - r, 0, kSide), std::min(kSide, x.cols - c),
                     std::min(kSide, y.cols - r));
}

template void tileProduct(MatrixView<float>, StridedMatrix<float>, MatrixView<const float>, Into);
template void tileProduct(MatrixView<double>, StridedMatrix<double>, MatrixView<const double>,
                          Into);
template void transpose(MatrixView<float>, MatrixView<const float>);
template void transpose(MatrixView<double>, MatrixView<const double>);

}  // namespace tfm::cpu

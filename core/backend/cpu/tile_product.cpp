// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/tile_product.h"

#include <algorithm>

#include "core/backend/cpu/lanes.h"

namespace tfm::cpu {
namespace {

/// What the sums of a tile begin with: a row for all rows (stride 0), c itself, or nothing (null).
template <class Real>
struct Start {
  const Real* data;
  std::int64_t stride;
};

/// One product's operands from some row and column on.
template <class Real>
struct Part {
  MatrixView<Real> c;
  StridedMatrix<Real> a;
  MatrixView<const Real> b;
  Start<Real> start;

  Part rowsFrom(std::int64_t row) const {
    Part part = *this;
    part.c = c.rowsFrom(row, c.rows - row);
    part.a.data += row * a.row_stride;
    if (start.data != nullptr) part.start.data += row * start.stride;
    return part;
  }
  Part colsFrom(std::int64_t col) const {
    Part part = *this;
    part.c = c.colsFrom(col, c.cols - col);
    part.b = b.colsFrom(col, b.cols - col);
    if (start.data != nullptr) part.start.data += col;
    return part;
  }
};

/// The first `kRows` rows by `kWidth` registers of c, held in registers over the whole depth. Where
/// `kWhole` is false the last register has only `left` columns.
template <class Real, int kRows, int kWidth, bool kWhole>
void tile(const Part<Real>& p, std::int64_t left) {
  const auto load = [left](const Real* from, int w) {
    return kWhole || w + 1 < kWidth ? loadLane(from) : loadFirst(from, left);
  };
  Lane<Real> sum[kRows][kWidth];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 2
    for (int w = 0; w < kWidth; ++w)
      sum[r][w] = p.start.data == nullptr
                      ? allOf(Real(0))
                      : load(p.start.data + r * p.start.stride + w * kTile<Real>, w);
  for (std::int64_t k = 0; k < p.b.rows; ++k) {
    Lane<Real> right[kWidth];
#pragma GCC unroll 2
    for (int w = 0; w < kWidth; ++w) right[w] = load(p.b.row(k) + w * kTile<Real>, w);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      const Lane<Real> factor = allOf(p.a.data[r * p.a.row_stride + k * p.a.col_stride]);
#pragma GCC unroll 2
      for (int w = 0; w < kWidth; ++w)
        sum[r][w] = Eigen::internal::pmadd(factor, right[w], sum[r][w]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int w = 0; w < kWidth; ++w) {
      Real* to = p.c.row(r) + w * kTile<Real>;
      if (kWhole || w + 1 < kWidth)
        storeLane(to, sum[r][w]);
      else
        storeFirst(to, sum[r][w], left);
    }
  }
}

/// The last p.c.rows <= kRows rows.
template <class Real, int kRows, int kWidth, bool kWhole>
void lastRows(const Part<Real>& p, std::int64_t left) {
  if (p.c.rows == kRows)
    tile<Real, kRows, kWidth, kWhole>(p, left);
  else if constexpr (kRows > 1)
    lastRows<Real, kRows - 1, kWidth, kWhole>(p, left);
}

/// All rows of `kWidth` registers of columns.
template <class Real, int kWidth, bool kWhole>
void columns(const Part<Real>& p, std::int64_t left) {
  // Eight sums in flight hide the latency of a fused multiply-add.
  constexpr int kRows = 8 / kWidth;
  std::int64_t row = 0;
  for (; p.c.rows - row > kRows; row += kRows)
    tile<Real, kRows, kWidth, kWhole>(p.rowsFrom(row), left);
  if (p.c.rows > row) lastRows<Real, kRows, kWidth, kWhole>(p.rowsFrom(row), left);
}

template <class Real>
void product(const Part<Real>& p) {
  constexpr std::int64_t kOne = kTile<Real>;
  constexpr std::int64_t kTwo = 2 * kTile<Real>;
  std::int64_t col = 0;
  for (; p.c.cols - col >= kTwo; col += kTwo) columns<Real, 2, true>(p.colsFrom(col), 0);
  const std::int64_t rest = p.c.cols - col;
  if (rest > kOne)
    columns<Real, 2, false>(p.colsFrom(col), rest - kOne);
  else if (rest == kOne)
    columns<Real, 1, true>(p.colsFrom(col), 0);
  else if (rest > 0)
    columns<Real, 1, false>(p.colsFrom(col), rest);
}

}  // namespace

template <class Real>
void tileProduct(MatrixView<Real> c, StridedMatrix<Real> a, MatrixView<const Real> b,
                 const Real* start) {
  product<Real>({c, a, b, {start, 0}});
}

template <class Real>
void addTileProduct(MatrixView<Real> c, StridedMatrix<Real> a, MatrixView<const Real> b) {
  product<Real>({c, a, b, {c.data, c.stride}});
}

template <class Real>
void addRows(MatrixView<Real> out, MatrixView<const Real> x) {
  const Real one(1);
  addTileProduct<Real>(out, {&one, 0, 0}, x);
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

#define TFM_INSTANTIATE(Real)                                                                  \
  template void tileProduct(MatrixView<Real>, StridedMatrix<Real>, MatrixView<const Real>,     \
                            const Real*);                                                      \
  template void addTileProduct(MatrixView<Real>, StridedMatrix<Real>, MatrixView<const Real>); \
  template void addRows(MatrixView<Real>, MatrixView<const Real>);                             \
  template void transpose(MatrixView<Real>, MatrixView<const Real>);
TFM_INSTANTIATE(float)
TFM_INSTANTIATE(double)
#undef TFM_INSTANTIATE

}  // namespace tfm::cpu

// SPDX-License-Identifier: GPL-3.0-or-later
#if defined(TFM_CPU_TILE_PRODUCT_H) == defined(HWY_TARGET_TOGGLE)  // see vectors.h
#ifdef TFM_CPU_TILE_PRODUCT_H
#undef TFM_CPU_TILE_PRODUCT_H
#else
#define TFM_CPU_TILE_PRODUCT_H
#endif

#include <algorithm>

#include "core/backend/cpu/strided_matrix.h"
#include "core/backend/cpu/vectors.h"
#include "core/backend/gradient_view.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::cpu::HWY_NAMESPACE {
namespace {

/// Initial values of a tile's sums: one row for all rows (stride 0), c itself, or zero (null).
template <class Real>
struct Start {
  const Real* data;
  std::int64_t stride;
};

/// The operands of a product.
template <class Real>
struct Part {
  MatrixView<Real> c;
  StridedMatrix<Real> a;
  MatrixView<const Real> b;
  Start<Real> start;
};

/// Where the first row of a tile begins.
template <class Real>
struct Corner {
  Real* c;
  const Real* a;
  const Real* start;

  Corner(const Part<Real>& p, std::int64_t row, std::int64_t col)
      : c(p.c.row(row) + col), a(p.a.data + row * p.a.row_stride), start(p.start.data) {
    if (start != nullptr) start += row * p.start.stride + col;
  }
  void moveDown(const Part<Real>& p, std::int64_t rows) {
    c += rows * p.c.stride;
    a += rows * p.a.row_stride;
    if (start != nullptr) start += rows * p.start.stride;
  }
};

/// `kRows` rows by `kWidth` registers from `at` and column `col` on, held in registers over the
/// whole depth. Where `kWhole` is false the last register has only `left` columns.
template <class Real, int kRows, int kWidth, bool kWhole>
HWY_INLINE void tile(const Part<Real>& p, const Corner<Real>& at, std::int64_t col,
                     std::int64_t left) {
  const auto load = [left](const Real* from, int w) {
    return kWhole || w + 1 < kWidth ? loadLane(from) : loadFirst(from, left);
  };
  Lane<Real> sum[kRows][kWidth];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 2
    for (int w = 0; w < kWidth; ++w)
      sum[r][w] = at.start == nullptr ? allOf(Real(0))
                                      : load(at.start + r * p.start.stride + w * kTile<Real>, w);
  for (std::int64_t k = 0; k < p.b.rows; ++k) {
    Lane<Real> right[kWidth];
#pragma GCC unroll 2
    for (int w = 0; w < kWidth; ++w) right[w] = load(p.b.row(k) + col + w * kTile<Real>, w);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      const Lane<Real> factor = allOf(at.a[r * p.a.row_stride + k * p.a.col_stride]);
#pragma GCC unroll 2
      for (int w = 0; w < kWidth; ++w) sum[r][w] = hn::MulAdd(factor, right[w], sum[r][w]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int w = 0; w < kWidth; ++w) {
      Real* to = at.c + r * p.c.stride + w * kTile<Real>;
      if (kWhole || w + 1 < kWidth)
        storeLane(to, sum[r][w]);
      else
        storeFirst(Tag<Real>(), to, sum[r][w], left);
    }
  }
}

/// The last rows, up to `kRows` of them.
template <class Real, int kRows, int kWidth, bool kWhole>
void lastRows(const Part<Real>& p, std::int64_t row, std::int64_t col, std::int64_t left) {
  if (p.c.rows - row == kRows)
    tile<Real, kRows, kWidth, kWhole>(p, Corner<Real>(p, row, col), col, left);
  else if constexpr (kRows > 1)
    lastRows<Real, kRows - 1, kWidth, kWhole>(p, row, col, left);
}

/// All rows of `kWidth` registers of columns, `kRows` at a time.
template <class Real, int kWidth, bool kWhole, int kRows>
void columns(const Part<Real>& p, std::int64_t col, std::int64_t left) {
  std::int64_t row = 0;
  Corner<Real> at(p, 0, col);
  for (; p.c.rows - row >= kRows; row += kRows) {
    tile<Real, kRows, kWidth, kWhole>(p, at, col, left);
    at.moveDown(p, kRows);
  }
  if constexpr (kRows > 1)
    if (row < p.c.rows) lastRows<Real, kRows - 1, kWidth, kWhole>(p, row, col, left);
}

/// The same from copies of the columns of b. Every tile reads them again, and where they lie, rows
/// apart by a power of two, the L1 cache cannot keep many.
template <class Real, int kWidth, bool kWhole>
HWY_NOINLINE void packedColumns(const Part<Real>& p, std::int64_t col, std::int64_t left) {
  constexpr std::int64_t kCols = kWidth * kTile<Real>;
  constexpr std::int64_t kDepth = 16 * 1024 / (kCols * sizeof(Real));  // half of the cache
  HWY_ALIGN Real memory[kDepth * kCols];
  const std::int64_t cols = std::min(kCols, p.b.cols - col);
  Part<Real> part = p;
  part.c = p.c.colsFrom(col, cols);
  if (p.start.data != nullptr) part.start.data += col;
  for (std::int64_t first = 0; first < p.b.rows; first += kDepth) {
    part.b = {memory, std::min(kDepth, p.b.rows - first), kCols};
    part.a.data = p.a.data + first * p.a.col_stride;
    for (std::int64_t k = 0; k < part.b.rows; ++k)
      overRow<Real>(cols, [&](std::int64_t j, std::int64_t rest) {
        storeLane(memory + k * kCols + j, loadSome(p.b.row(first + k) + col + j, rest));
      });
    columns<Real, kWidth, kWhole, kWidth == 1 ? 8 : 6>(part, 0, left);
    part.start = {part.c.data, part.c.stride};
  }
}

/// The same, from copies where they pay.
template <class Real, int kWidth, bool kWhole>
void columns(const Part<Real>& p, std::int64_t col, std::int64_t left) {
  // Eight independent sums hide the latency of a fused multiply-add.
  constexpr int kRows = 8 / kWidth;
  if (p.b.rows >= 128 && p.c.rows > 2 * kRows)
    packedColumns<Real, kWidth, kWhole>(p, col, left);
  else
    columns<Real, kWidth, kWhole, kRows>(p, col, left);
}

template <class Real>
void product(const Part<Real>& p) {
  constexpr std::int64_t kOne = kTile<Real>;
  constexpr std::int64_t kTwo = 2 * kTile<Real>;
  std::int64_t col = 0;
  for (; p.c.cols - col >= kTwo; col += kTwo) columns<Real, 2, true>(p, col, 0);
  const std::int64_t rest = p.c.cols - col;
  if (rest > kOne)
    columns<Real, 2, false>(p, col, rest - kOne);
  else if (rest == kOne)
    columns<Real, 1, true>(p, col, 0);
  else if (rest > 0)
    columns<Real, 1, false>(p, col, rest);
}

/// c = a b + start in each row (start: c.cols numbers or nullptr) for small matrices, for which
/// general matrix products have too much overhead. c: rows x cols, a: rows x b.rows, b: b.rows x
/// cols.
template <class Real>
void tileProduct(MatrixView<Real> c, StridedMatrix<Real> a, MatrixView<const Real> b,
                 const Real* start = nullptr) {
  product<Real>({c, a, b, {start, 0}});
}

/// The same for c += a b.
template <class Real>
void addTileProduct(MatrixView<Real> c, StridedMatrix<Real> a, MatrixView<const Real> b) {
  product<Real>({c, a, b, {c.data, c.stride}});
}

/// The same for the sum of a gradient with a b.
template <class Real>
void accumulateTiles(const GradientView<Real>& gradient, StridedMatrix<Real> a,
                     MatrixView<const Real> b) {
  if (!gradient) return;
  if (gradient.fresh)
    tileProduct<Real>(gradient.sum, a, b);
  else
    addTileProduct<Real>(gradient.sum, a, b);
}

/// Whether the tile product with so many weights was as fast as that of OpenBLAS, or faster.
inline bool areSmall(std::int64_t weights) { return weights <= 128 * 128; }

/// out += the sum of x's rows.   out: 1 x x.cols
template <class Real>
void addRows(MatrixView<Real> out, MatrixView<const Real> x) {
  overRow<Real>(x.cols, [&](std::int64_t j, std::int64_t left) {
    // Two independent sums hide part of the latency.
    Lane<Real> even = loadSome(out.data + j, left), odd = allOf(Real(0));
    for (std::int64_t r = 0; r < x.rows; r += 2) {
      even = hn::Add(even, loadSome(x.row(r) + j, left));
      if (r + 1 < x.rows) odd = hn::Add(odd, loadSome(x.row(r + 1) + j, left));
    }
    storeSome(out.data + j, hn::Add(even, odd), left);
  });
}

/// The square of y = x^T, or y += x^T, from a row and a column of x on; where `kWhole` is false, it
/// may reach beyond them.
template <class Real, bool kAdd, bool kWhole>
void transposeTile(MatrixView<Real> y, MatrixView<const Real> x, std::int64_t row,
                   std::int64_t col) {
  constexpr std::int64_t kSide = kTile<Real>;
  const std::int64_t in = kWhole ? kSide : x.cols - col, out = kWhole ? kSide : y.cols - row;
  Lane<Real> block[kSide];
#pragma GCC unroll 16
  for (std::int64_t i = 0; i < kSide; ++i)
    block[i] = kWhole || row + i < x.rows ? loadSome(x.row(row + i) + col, in) : allOf(Real(0));
  transposeSquare<Real>(block);
#pragma GCC unroll 16
  for (std::int64_t i = 0; i < kSide; ++i) {
    if (!kWhole && i >= in) break;
    Real* to = y.row(col + i) + row;
    if constexpr (kAdd) block[i] = hn::Add(block[i], loadSome(to, out));
    storeSome(to, block[i], out);
  }
}

/// y = x^T, or y += x^T. Additional columns of y are zero.
template <class Real, bool kAdd = false>
void transpose(MatrixView<Real> y, MatrixView<const Real> x) {
  constexpr std::int64_t kSide = kTile<Real>;
  for (std::int64_t r = 0; r < y.cols; r += kSide)
    for (std::int64_t c = 0; c < x.cols; c += kSide)
      if (r + kSide <= std::min(x.rows, y.cols) && c + kSide <= x.cols)
        transposeTile<Real, kAdd, true>(y, x, r, c);
      else
        transposeTile<Real, kAdd, false>(y, x, r, c);
}

}  // namespace
}  // namespace tfm::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

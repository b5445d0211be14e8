// SPDX-License-Identifier: GPL-3.0-or-later
#if defined(TFM_CPU_GROUPED_PRODUCT_H) == defined(HWY_TARGET_TOGGLE)  // see vectors.h
#ifdef TFM_CPU_GROUPED_PRODUCT_H
#undef TFM_CPU_GROUPED_PRODUCT_H
#else
#define TFM_CPU_GROUPED_PRODUCT_H
#endif

#include <algorithm>

#include "core/backend/cpu/tile_product.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::cpu::HWY_NAMESPACE {
namespace {

/// Distances, in numbers, from the operands of a group to those of the next. The initial values of
/// the sums move with c.
struct GroupSteps {
  std::int64_t c, a, b;
};

/// The tile products of all groups, from the operands of the first. Groups may lie side by side,
/// below each other, or (with a column stride of a) their columns in turn.
template <class Real>
void groupedProduct(Part<Real> part, const GroupSteps& step, std::int64_t groups) {
  for (std::int64_t g = 0; g < groups; ++g) {
    product<Real>(part);
    part.c.data += step.c;
    part.a.data += step.a;
    part.b.data += step.b;
    if (part.start.data != nullptr) part.start.data += step.c;
  }
}

/// The same for the sums of the groups' gradients with a b; `first` is that of the first group.
template <class Real>
void accumulateGroups(const GradientView<Real>& first, StridedMatrix<Real> a,
                      MatrixView<const Real> b, const GroupSteps& step, std::int64_t groups) {
  if (!first) return;
  const MatrixView<Real>& c = first.sum;
  const Start<Real> start{first.fresh ? nullptr : c.data, c.stride};
  groupedProduct<Real>({c, a, b, start}, step, groups);
}

/// (a0 a1 ..., b0 b1 ...) -> (a0 b0 a1 b1 ..., the rest of them)
template <class Real>
HWY_INLINE void interleavePair(Lane<Real>& a, Lane<Real>& b) {
  const Tag<Real> d;
  constexpr std::size_t kBytes = kTile<Real> * sizeof(Real);
  const Lane<Real> low = hn::InterleaveLower(d, a, b), high = hn::InterleaveUpper(d, a, b);
  if constexpr (kBytes == 16) {  // one block, within which they interleave
    a = low;
    b = high;
  } else if constexpr (kBytes == 32) {
    a = hn::ConcatLowerLower(d, high, low);
    b = hn::ConcatUpperUpper(d, high, low);
  } else {
    static_assert(kBytes == 64);
    const Lane<Real> even = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(high), low);
    const Lane<Real> odd = hn::OddEvenBlocks(high, hn::SwapAdjacentBlocks(low));
    a = hn::ConcatLowerLower(d, odd, even);
    b = hn::ConcatUpperUpper(d, odd, even);
  }
}
/// The first numbers of all registers, then the second ones, ...
template <class Real>
HWY_INLINE void interleaveAll(Lane<Real> (&)[1]) {}
template <class Real>
HWY_INLINE void interleaveAll(Lane<Real> (&row)[2]) {
  interleavePair<Real>(row[0], row[1]);
}
template <class Real>
HWY_INLINE void interleaveAll(Lane<Real> (&row)[4]) {
  interleavePair<Real>(row[0], row[2]);
  interleavePair<Real>(row[1], row[3]);
  interleavePair<Real>(row[0], row[1]);
  interleavePair<Real>(row[2], row[3]);
}

/// A tile of a shuffled grouped map: some rows, and a register of outputs of each of some groups.
template <class Real>
struct ShuffledTile {
  Real* y;  ///< the first output
  std::int64_t y_stride;
  const Real* x;  ///< the first input of the first of these groups
  std::int64_t x_stride;
  const Real* panel;  ///< see packPanels()
  std::int64_t inputs;
  std::int64_t groups;   ///< of the whole map: between two outputs of a group in y
  std::int64_t outputs;  ///< of a group, up to kTile

  ShuffledTile rowsFrom(std::int64_t row) const {
    ShuffledTile tile = *this;
    tile.y += row * y_stride;
    tile.x += row * x_stride;
    return tile;
  }
};

/// Writes a row of a tile, a register a group.
template <class Real, int kTogether>
HWY_INLINE void storeShuffled(const ShuffledTile<Real>& t, Real* y, Lane<Real> (&sum)[kTogether]) {
  interleaveAll<Real>(sum);
  if (t.groups == kTogether) {  // the outputs are adjacent
    const std::int64_t count = t.outputs * kTogether;
#pragma GCC unroll 4
    for (int p = 0; p < kTogether; ++p)
      if (const std::int64_t first = p * kTile<Real>; first < count)
        storeSome(y + first, sum[p], count - first);
    return;
  }
  HWY_ALIGN Real numbers[kTogether * kTile<Real>];
#pragma GCC unroll 4
  for (int p = 0; p < kTogether; ++p) storeLane(numbers + p * kTile<Real>, sum[p]);
  for (std::int64_t j = 0; j < t.outputs; ++j)
    std::copy_n(numbers + j * kTogether, kTogether, y + j * t.groups);
}

/// The first `kRows` rows, held in registers over all inputs.
template <class Real, int kRows, int kTogether>
void shuffledRows(const ShuffledTile<Real>& t) {
  Lane<Real> sum[kRows][kTogether];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
    for (int p = 0; p < kTogether; ++p) sum[r][p] = loadLane(t.panel + p * kTile<Real>);
  const Real* weights = t.panel;
  for (std::int64_t k = 0; k < t.inputs; ++k) {
    weights += kTogether * kTile<Real>;
    Lane<Real> right[kTogether];
#pragma GCC unroll 4
    for (int p = 0; p < kTogether; ++p) right[p] = loadLane(weights + p * kTile<Real>);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
      for (int p = 0; p < kTogether; ++p)
        sum[r][p] = hn::MulAdd(allOf(t.x[r * t.x_stride + p * t.inputs + k]), right[p], sum[r][p]);
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) storeShuffled<Real, kTogether>(t, t.y + r * t.y_stride, sum[r]);
}

/// The last rows, up to `kRows` of them.
template <class Real, int kRows, int kTogether>
void lastShuffledRows(const ShuffledTile<Real>& t, std::int64_t rows) {
  if (rows == kRows)
    shuffledRows<Real, kRows, kTogether>(t);
  else if constexpr (kRows > 1)
    lastShuffledRows<Real, kRows - 1, kTogether>(t, rows);
}

/// How many numbers packPanels() writes for all groups.
template <class Real>
std::int64_t panelNumbers(std::int64_t groups, std::int64_t inputs, std::int64_t outputs) {
  return groups * (inputs + 1) * padded<Real>(outputs);
}

/// Biases and weights in the order in which tiles read them: for every `kTogether` groups and every
/// register of outputs a panel, which has the groups' biases and then, for every input, the groups'
/// weights. Missing outputs and biases are zero.
template <class Real, int kTogether>
void packPanels(Real* panel, MatrixView<const Real> w, const Real* bias, std::int64_t groups) {
  constexpr std::int64_t kCols = kTogether * kTile<Real>;
  const std::int64_t out = w.rows / groups;
  for (std::int64_t g = 0; g < groups; g += kTogether)
    for (std::int64_t c = 0; c < out; c += kTile<Real>, panel += (w.cols + 1) * kCols)
      for (int p = 0; p < kTogether; ++p) {
        const std::int64_t first = (g + p) * out + c, count = std::min(kTile<Real>, out - c);
        Real* to = panel + p * kTile<Real>;
        storeLane(to, bias == nullptr ? allOf(Real(0)) : loadSome(bias + first, count));
        transpose<Real>({to + kCols, w.cols, kTile<Real>, kCols}, w.rowsFrom(first, count));
      }
}

/// A few rows at a time, whose inputs stay in the cache for all panels.
template <class Real, int kTogether>
void shuffledProduct(MatrixView<Real> y, MatrixView<const Real> x, MatrixView<const Real> w,
                     const Real* bias, Real* panels, std::int64_t groups) {
  constexpr int kRows = 8 / kTogether;  // eight independent sums
  constexpr std::int64_t kRowsInCache = 64;
  const std::int64_t out = w.rows / groups;
  packPanels<Real, kTogether>(panels, w, bias, groups);
  for (std::int64_t begin = 0; begin < x.rows; begin += kRowsInCache) {
    const std::int64_t end = std::min(x.rows, begin + kRowsInCache);
    const Real* panel = panels;
    for (std::int64_t g = 0; g < groups; g += kTogether)
      for (std::int64_t c = 0; c < out; c += kTile<Real>) {
        const ShuffledTile<Real> tile{y.data + c * groups + g,
                                      y.stride,
                                      x.data + g * w.cols,
                                      x.stride,
                                      panel,
                                      w.cols,
                                      groups,
                                      std::min(kTile<Real>, out - c)};
        std::int64_t row = begin;
        for (; end - row > kRows; row += kRows)
          shuffledRows<Real, kRows, kTogether>(tile.rowsFrom(row));
        lastShuffledRows<Real, kRows, kTogether>(tile.rowsFrom(row), end - row);
        panel += (w.cols + 1) * kTogether * kTile<Real>;
      }
  }
}

/// y[r, j * groups + g] = the sum over k of x[r, g * in + k] w[g * out + j, k], plus bias
/// [g * out + j] unless it is null: the products of all groups, written in the order of the
/// shuffle.
/// x: rows x groups * in, w: groups * out x in, `panels`: room for panelNumbers()
template <class Real>
void shuffledProduct(MatrixView<Real> y, MatrixView<const Real> x, MatrixView<const Real> w,
                     const Real* bias, Real* panels, std::int64_t groups) {
  if (groups % 4 == 0)
    shuffledProduct<Real, 4>(y, x, w, bias, panels, groups);
  else if (groups % 2 == 0)
    shuffledProduct<Real, 2>(y, x, w, bias, panels, groups);
  else
    shuffledProduct<Real, 1>(y, x, w, bias, panels, groups);
}

}  // namespace
}  // namespace tfm::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

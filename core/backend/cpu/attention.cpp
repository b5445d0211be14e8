// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/backend/cpu/eigen_map.h"
#include "core/backend/cpu/lanes.h"
#include "core/backend/cpu/scratch.h"
#include "core/backend/cpu/tile_product.h"
#include "core/base/check.h"

namespace tfm::cpu {
namespace {

/// The rows of one head of one sequence in a (batch * positions) x (heads * size) matrix.
template <class Real>
MatrixView<Real> headOf(MatrixView<Real> m, std::int64_t sequence, std::int64_t positions,
                        std::int64_t head, std::int64_t size) {
  return m.rowsFrom(sequence * positions, positions).colsFrom(head * size, size);
}

/// The score matrix of one head of one sequence.
template <class Real>
MatrixView<Real> scoresOf(MatrixView<Real> m, const AttentionShape& s, std::int64_t sequence,
                          std::int64_t head) {
  return m.rowsFrom((sequence * s.heads + head) * s.queries, s.queries);
}

template <class Real>
Real scaleOf(const AttentionShape& s) {
  return Real(1.0 / std::sqrt(double(s.key_size)));
}

// The largest number whose exp() every share can do without.
template <class Real>
constexpr Real kLowestExponent = sizeof(Real) == 4 ? Real(-87) : Real(-708);

template <class Real>
void applyDropout(MatrixView<Real> to, MatrixView<const Real> from, const Dropout& dropout,
                  std::int64_t first_row) {
  const Real kept = Real(1.0 / (1.0 - dropout.rate));
  for (std::int64_t i = 0; i < from.rows; ++i)
    for (std::int64_t j = 0; j < from.cols; ++j)
      to.at(i, j) = dropout.keeps(first_row + i, from.cols, j) ? from.at(i, j) * kept : Real(0);
}

/// Scores with queries as columns: a register holds one key's scores of many queries, so that
/// maxima and sums over the keys need no sums inside a register. Row j: key j.
template <class Real>
struct TransposedScores {
  MatrixView<Real> cells;
  /// 2 * cells.cols numbers, -infinity and then 0: read from cells.cols - j on they forbid queries
  /// before key j.
  const Real* stairs;
};

/// cells = cells * scale + mask, and then `then(column)` for every register of columns while it is
/// in the cache.
template <class Real, class Then>
void scaleAndMask(const TransposedScores<Real>& t, const AttentionShape& s,
                  std::span<const std::int32_t> pad, const Then& then) {
  namespace ei = Eigen::internal;
  const MatrixView<Real> cells = t.cells;
  const Lane<Real> scale = allOf(scaleOf<Real>(s));
  for (std::int64_t i = 0; i < cells.cols; i += kTile<Real>) {
    Real* column = cells.data + i;
    Lane<Real> top = allOf(-std::numeric_limits<Real>::infinity());
    for (std::int64_t j = 0; j < cells.rows; ++j) {
      Real* cell = column + j * cells.stride;
      const bool padding = !pad.empty() && pad[std::size_t(j)] != 0;
      const Lane<Real> offset = allOf(padding ? Real(kPadScore) : Real(0));
      Lane<Real> score = ei::pmadd(loadLane<Real>(cell), scale, offset);
      if (s.causal) score = ei::padd(score, loadLane(t.stairs + cells.cols - j + i));
      storeLane(cell, score);
      top = ei::pmax(top, score);
    }
    then(column, top);
  }
}

/// Softmax of the columns in one register, whose largest cells are `top`. A cell so far below that
/// its share cannot be written becomes exactly 0.
template <class Real>
void softmaxColumn(Real* column, Lane<Real> top, std::int64_t rows, std::int64_t stride) {
  namespace ei = Eigen::internal;
  const Lane<Real> lowest = allOf(kLowestExponent<Real>);
  // Shares are shifted down by the least of them, which no other can notice, so that forbidden
  // cells are exactly 0.
  const Lane<Real> least = ei::pexp(lowest);
  Lane<Real> sum = allOf(Real(0));
  for (std::int64_t j = 0; j < rows; ++j) {
    Real* cell = column + j * stride;
    const Lane<Real> exponent = ei::pmax(ei::psub(loadLane<Real>(cell), top), lowest);
    const Lane<Real> share = ei::psub(ei::pexp(exponent), least);
    storeLane(cell, share);
    sum = ei::padd(sum, share);
  }
  const Lane<Real> factor = ei::pdiv(allOf(Real(1)), sum);
  for (std::int64_t j = 0; j < rows; ++j) {
    Real* cell = column + j * stride;
    storeLane(cell, ei::pmul(loadLane<Real>(cell), factor));
  }
}

/// p = softmax(x * scale):  dx = p * (dp - sum_j dp_j p_j) * scale, row by row, over dp. Both are
/// read in whole registers, so dp has padded(p.cols) columns; what lies beyond p's becomes 0.
template <class Real>
void softmaxRowsBackward(MatrixView<Real> dp, MatrixView<const Real> p, Real scale) {
  namespace ei = Eigen::internal;
  const Lane<Real> factor = allOf(scale);
  const std::int64_t left = p.cols % kTile<Real>;
  const std::int64_t whole = p.cols - left;
  for (std::int64_t i = 0; i < p.rows; ++i) {
    const Real* share = p.row(i);
    Real* gradient = dp.row(i);
    const Lane<Real> last = left > 0 ? loadFirst(share + whole, left) : allOf(Real(0));
    Lane<Real> sums = left > 0 ? ei::pmul(loadLane(gradient + whole), last) : last;
    for (std::int64_t j = 0; j < whole; j += kTile<Real>)
      sums = ei::pmadd(loadLane(gradient + j), loadLane(share + j), sums);
    const Lane<Real> inner = allOf(ei::predux(sums));
    const auto store = [&](Real* to, Lane<Real> weight) {
      storeLane(to, ei::pmul(ei::pmul(weight, factor), ei::psub(loadLane<Real>(to), inner)));
    };
    for (std::int64_t j = 0; j < whole; j += kTile<Real>) store(gradient + j, loadLane(share + j));
    if (left > 0) store(gradient + whole, last);
  }
}

template <class Real>
void forwardSequence(const AttentionShape& s, const AttentionTensors<Real>& t, std::int64_t b) {
  const std::int64_t width = padded<Real>(s.queries);
  const auto [q_memory, score_memory, mixed_memory, stairs] = scratch<Real>(
      s.heads * s.key_size * width, s.keys * width, s.heads * s.value_size * width, 2 * width);
  std::fill_n(stairs, width, -std::numeric_limits<Real>::infinity());
  std::fill_n(stairs + width, width, Real(0));
  const MatrixView<Real> q_transposed(q_memory, s.heads * s.key_size, width);
  const MatrixView<Real> mixed_transposed(mixed_memory, s.heads * s.value_size, width);
  const MatrixView<Real> scores(score_memory, s.keys, width);
  const MatrixView<Real> asked = scores.colsFrom(0, s.queries);
  const auto pad = t.key_pad.empty()
                       ? t.key_pad
                       : t.key_pad.subspan(std::size_t(b * s.keys), std::size_t(s.keys));
  transpose(q_transposed, t.q.rowsFrom(b * s.queries, s.queries));

  for (std::int64_t h = 0; h < s.heads; ++h) {
    const auto k = headOf(t.k, b, s.keys, h, s.key_size);
    const auto v = headOf(t.v, b, s.keys, h, s.value_size);
    // scores^T = k q^T
    tileProduct<Real>(scores, plain(k), q_transposed.rowsFrom(h * s.key_size, s.key_size));
    if (t.scores) transpose<Real>(scoresOf(t.scores, s, b, h), asked);
    // probabilities = softmax(scores / sqrt(key_size) + mask)
    const TransposedScores<Real> transposed_scores{scores, stairs};
    const auto softmax = [&](Real* column, Lane<Real> top) {
      softmaxColumn(column, top, scores.rows, scores.stride);
    };
    if (t.masked) {
      // Kept for pictures; the scores are then computed once more.
      scaleAndMask(transposed_scores, s, pad, [](Real*, Lane<Real>) {});
      transpose<Real>(scoresOf(t.masked, s, b, h), asked);
      tileProduct<Real>(scores, plain(k), q_transposed.rowsFrom(h * s.key_size, s.key_size));
    }
    scaleAndMask(transposed_scores, s, pad, softmax);
    const auto probabilities = scoresOf(t.probabilities, s, b, h);
    transpose<Real>(probabilities, asked);
    if (t.dropped) {
      const auto dropped = scoresOf(t.dropped, s, b, h);
      applyDropout<Real>(dropped, probabilities, t.dropout, (b * s.heads + h) * s.queries);
      transpose<Real>(scores, dropped);
    }
    // mixed^T = v^T dropout(probabilities)^T
    tileProduct<Real>(mixed_transposed.rowsFrom(h * s.value_size, s.value_size), transposed(v),
                      scores);
  }
  transpose<Real>(t.mixed.rowsFrom(b * s.queries, s.queries),
                  mixed_transposed.colsFrom(0, s.queries));
}

/// y += x^T for the gradients of keys and values, which are computed with positions as columns.
template <class Real>
void addTransposed(MatrixView<Real> y, MatrixView<const Real> x, Real* memory) {
  const MatrixView<Real> back(memory, y.rows, y.cols);
  transpose<Real>(back, x);
  map(y) += map(back);
}

template <class Real>
void backwardSequence(const AttentionShape& s, const AttentionGradients<Real>& t, std::int64_t b) {
  const std::int64_t width = padded<Real>(s.keys);
  const std::int64_t key_cols = s.heads * s.key_size;
  const std::int64_t value_cols = s.heads * s.value_size;
  const auto [v_memory, ds_memory, dk_memory, dv_memory, back] =
      scratch<Real>(value_cols * width, s.queries * width, key_cols * s.keys, value_cols * s.keys,
                    std::max(key_cols, value_cols) * s.keys);
  const MatrixView<Real> v_transposed(v_memory, value_cols, width);
  const MatrixView<Real> ds(ds_memory, s.queries, width);
  const MatrixView<Real> cells = ds.colsFrom(0, s.keys);
  const MatrixView<Real> dk_transposed(dk_memory, key_cols, s.keys);
  const MatrixView<Real> dv_transposed(dv_memory, value_cols, s.keys);
  transpose(v_transposed, t.v.rowsFrom(b * s.keys, s.keys));

  for (std::int64_t h = 0; h < s.heads; ++h) {
    const auto q = headOf(t.q, b, s.queries, h, s.key_size);
    const auto k = headOf(t.k, b, s.keys, h, s.key_size);
    const auto dmixed = headOf(t.dmixed, b, s.queries, h, s.value_size);
    const auto probabilities = scoresOf(t.probabilities, s, b, h);
    const auto weights = t.dropped ? scoresOf(t.dropped, s, b, h) : probabilities;

    // mixed = weights v:  dweights = dmixed v^T,  dv^T = dmixed^T weights
    tileProduct<Real>(ds, plain(dmixed), v_transposed.rowsFrom(h * s.value_size, s.value_size));
    tileProduct<Real>(dv_transposed.rowsFrom(h * s.value_size, s.value_size), transposed(dmixed),
                      weights);
    // weights = dropout(probabilities):  dprobabilities = dweights * keep / (1 - rate)
    if (t.dropped) applyDropout<Real>(cells, cells, t.dropout, (b * s.heads + h) * s.queries);
    softmaxRowsBackward<Real>(ds, probabilities, scaleOf<Real>(s));
    // scores = q k^T:  dq += ds k,  dk^T = q^T ds
    if (t.dq) addTileProduct<Real>(headOf(t.dq, b, s.queries, h, s.key_size), plain<Real>(ds), k);
    tileProduct<Real>(dk_transposed.rowsFrom(h * s.key_size, s.key_size), transposed(q), cells);
  }
  if (t.dk) addTransposed<Real>(t.dk.rowsFrom(b * s.keys, s.keys), dk_transposed, back);
  if (t.dv) addTransposed<Real>(t.dv.rowsFrom(b * s.keys, s.keys), dv_transposed, back);
}

}  // namespace

template <class Real>
void Attention<Real>::forward(const AttentionShape& s, const AttentionTensors<Real>& t) {
  check(t.q.cols == s.heads * s.key_size && t.k.cols == s.heads * s.key_size,
        "attention: queries and keys have heads * key_size columns");
  check(t.v.cols == s.heads * s.value_size && t.mixed.cols == s.heads * s.value_size,
        "attention: values and mixed values have heads * value_size columns");
  check(t.probabilities.rows == s.batch * s.heads * s.queries && t.probabilities.cols == s.keys,
        "attention: one probability a query and key of every head");
  for (std::int64_t b = 0; b < s.batch; ++b) forwardSequence(s, t, b);
}

template <class Real>
void Attention<Real>::backward(const AttentionShape& s, const AttentionGradients<Real>& t) {
  for (std::int64_t b = 0; b < s.batch; ++b) backwardSequence(s, t, b);
}

template struct Attention<float>;
template struct Attention<double>;

}  // namespace tfm::cpu

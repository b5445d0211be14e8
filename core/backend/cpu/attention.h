// SPDX-License-Identifier: GPL-3.0-or-later
#if defined(TFM_CPU_ATTENTION_H) == defined(HWY_TARGET_TOGGLE)  // see vectors.h
#ifdef TFM_CPU_ATTENTION_H
#undef TFM_CPU_ATTENTION_H
#else
#define TFM_CPU_ATTENTION_H
#endif

#include <algorithm>
#include <limits>

#include "core/backend/cpu/attention_parts.h"
#include "core/backend/cpu/elementwise.h"
#include "core/backend/cpu/interleaved_attention.h"
#include "core/backend/cpu/scratch.h"
#include "core/backend/cpu/tile_product.h"
#include "core/base/check.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::cpu::HWY_NAMESPACE {
// Queries per block. Causal attention skips the keys after the last query of a block. A multiple of
// every kTile.
constexpr std::int64_t kQueryBlock = 32;

/// Some rows and the first columns of a score matrix, whose rows have `keys` columns.
template <class Real>
void applyDropout(MatrixView<Real> to, MatrixView<const Real> from, std::int64_t keys,
                  const Dropout& dropout, std::int64_t first_row) {
  const Real kept = Real(1.0 / (1.0 - dropout.rate));
  const bool all = dropout.rate == 0.0;
  for (std::int64_t i = 0; i < from.rows; ++i)
    for (std::int64_t j = 0; j < from.cols; ++j)
      to.at(i, j) = all || dropout.keeps(first_row + i, keys, j) ? from.at(i, j) * kept : Real(0);
}

/// Calls change(cell, its change) for the changed ones among the rows from `first_row` on.
template <class Real, class Change>
void overChanges(MatrixView<Real> cells, std::span<const CellChange> changes,
                 std::int64_t first_row, const Change& change) {
  const auto above = [](const CellChange& one, std::int64_t row) { return one.row < row; };
  auto one = std::lower_bound(changes.begin(), changes.end(), first_row, above);
  for (; one != changes.end() && one->row < first_row + cells.rows; ++one)
    change(cells.at(one->row - first_row, one->col), *one);
}

/// cells = cells * scale + mask, and then `then(column, top)` for every register of columns while
/// it is in the cache. Cells have queries as columns, from `query` on, and keys as rows: a register
/// holds one key's scores of many queries, so that maxima and sums over the keys need no sums
/// inside a register.   stairs: kTile numbers -infinity, kTile numbers 0, and kTile -infinity
template <class Real, class Then>
void scaleAndMask(MatrixView<Real> cells, const AttentionShape& s, std::int64_t query,
                  std::span<const std::int32_t> pad, const Real* stairs, const Then& then) {
  const Lane<Real> scale = allOf(scaleOf<Real>(s));
  for (std::int64_t i = 0; i < cells.cols; i += kTile<Real>) {
    Real* column = cells.data + i;
    Lane<Real> top = allOf(-std::numeric_limits<Real>::infinity());
    for (std::int64_t j = 0; j < cells.rows; ++j) {
      Real* cell = column + j * cells.stride;
      const bool padding = !pad.empty() && pad[std::size_t(j)] != 0;
      const Lane<Real> offset = allOf(padding ? Real(kPadScore) : Real(0));
      Lane<Real> score = hn::MulAdd(loadLane(cell), scale, offset);
      if (s.causal) {
        // The register's first query sees keys up to query + i, each next one a key more.
        const std::int64_t hidden = std::clamp<std::int64_t>(j - (query + i), 0, kTile<Real>);
        score = hn::Add(score, loadLane(stairs + kTile<Real> - hidden));
        if (s.window > 0) {
          // The first query sees the keys after query + i - window, each next one a key fewer.
          const std::int64_t seeing =
              std::clamp<std::int64_t>(j + s.window - (query + i), 0, kTile<Real>);
          score = hn::Add(score, loadLane(stairs + 2 * kTile<Real> - seeing));
        }
      }
      storeLane(cell, score);
      top = hn::Max(top, score);
    }
    then(column, top);
  }
}

/// p = softmax(x * scale):  dx = p * (dp - sum_j dp_j p_j) * scale, row by row, over dp. Both are
/// read in whole registers, so dp has padded(p.cols) columns; those beyond p's become 0.
template <class Real>
void softmaxRowsBackward(MatrixView<Real> dp, MatrixView<const Real> p, Real scale) {
  for (std::int64_t i = 0; i < p.rows; ++i) {
    const Real* share = p.row(i);
    Real* gradient = dp.row(i);
    Lane<Real> sums = allOf(Real(0));
    overRow<Real>(p.cols, [&](std::int64_t j, std::int64_t left) {
      sums = hn::MulAdd(loadLane(gradient + j), loadSome(share + j, left), sums);
    });
    const Lane<Real> inner = allOf(sumOf<Real>(sums));
    overRow<Real>(p.cols, [&](std::int64_t j, std::int64_t left) {
      const Lane<Real> weight = hn::Mul(loadSome(share + j, left), allOf(scale));
      storeLane(gradient + j, hn::Mul(weight, hn::Sub(loadLane(gradient + j), inner)));
    });
  }
}

/// One head of one sequence.   q_transposed: key_size x padded queries, scores: room for keys x
/// padded queries
template <class Real>
void forwardHead(const AttentionShape& s, const AttentionTensors<Real>& t, std::int64_t b,
                 std::int64_t h, MatrixView<Real> q_transposed, MatrixView<Real> scores,
                 const Real* stairs) {
  const auto k = headOf(t.k, b, s.keys, h, s.key_size);
  const auto v = headOf(t.v, b, s.keys, h, s.value_size);
  const auto mixed = headOf(t.mixed, b, s.queries, h, s.value_size);
  const auto pad = t.key_pad.empty()
                       ? t.key_pad
                       : t.key_pad.subspan(std::size_t(b * s.keys), std::size_t(s.keys));
  const auto work = [&](std::int64_t i, std::int64_t count, std::int64_t seen) {
    const std::int64_t width = padded<Real>(count);
    const auto rowsOf = [&](auto m) { return scoresOf(m, s, b, h).rowsFrom(i, count); };
    // scores^T = k q^T + bias^T
    const auto score = [&](std::int64_t keys) {
      const auto cells = scores.rowsFrom(0, keys).colsFrom(i, width);
      const auto queries = q_transposed.colsFrom(i, width);
      if (t.bias) {
        transpose<Real>(cells, rowsOf(t.bias).colsFrom(0, keys));
        addTileProduct<Real>(cells, plain(k), queries);
      } else {
        tileProduct<Real>(cells, plain(k), queries);
      }
      return cells;
    };
    // Kept for display, masked cells too; the scores are then computed again.
    if (t.scores) transpose<Real>(rowsOf(t.scores), score(s.keys).colsFrom(0, count));
    if (t.masked) {
      const auto cells = score(s.keys);
      scaleAndMask<Real>(cells, s, i, pad, stairs, [](Real*, Lane<Real>) {});
      transpose<Real>(rowsOf(t.masked), cells.colsFrom(0, count));
    }
    // probabilities = softmax(scores / sqrt(key_size) + mask)
    const auto cells = score(seen);
    scaleAndMask<Real>(cells, s, i, pad, stairs, [&](Real* column, Lane<Real> top) {
      softmaxAcross(column, top, cells.rows, cells.stride);
    });
    const auto probabilities = rowsOf(t.probabilities);
    transpose<Real>(probabilities.colsFrom(0, seen), cells.colsFrom(0, count));
    for (std::int64_t r = 0; r < count; ++r)
      std::fill_n(probabilities.row(r) + seen, s.keys - seen, Real(0));
    if (t.dropped) {
      const auto dropped = rowsOf(t.dropped);
      const std::int64_t first_row = (b * s.heads + h) * s.queries + i;
      applyDropout<Real>(dropped, probabilities, s.keys, t.dropout, first_row);
      overChanges<Real>(dropped, t.changes, first_row,
                        [](Real& p, const CellChange& change) { p = change.of(p); });
      transpose<Real>(cells, dropped.colsFrom(0, seen));
    }
    // mixed = changed(dropout(probabilities)) v
    tileProduct<Real>(mixed.rowsFrom(i, count), transposed<Real>(cells), v.rowsFrom(0, seen));
  };
  overQueryBlocks(s, s.causal ? kQueryBlock : s.queries, work);
}

template <class Real>
void forwardSequence(const AttentionShape& s, const AttentionTensors<Real>& t, std::int64_t b) {
  const std::int64_t width = padded<Real>(s.queries);
  const auto [q_memory, score_memory, stairs] =
      scratch<Real>(s.heads * s.key_size * width, s.keys * width, 3 * kTile<Real>);
  std::fill_n(stairs, 3 * kTile<Real>, -std::numeric_limits<Real>::infinity());
  std::fill_n(stairs + kTile<Real>, kTile<Real>, Real(0));
  const MatrixView<Real> q_transposed(q_memory, s.heads * s.key_size, width);
  const MatrixView<Real> scores(score_memory, s.keys, width);
  transpose(q_transposed, t.q.rowsFrom(b * s.queries, s.queries));
  for (std::int64_t h = 0; h < s.heads; ++h)
    forwardHead(s, t, b, h, q_transposed.rowsFrom(h * s.key_size, s.key_size), scores,
                static_cast<const Real*>(stairs));
}

/// One head of one sequence.   v_transposed: value_size x padded keys, ds: room for queries x
/// padded keys
template <class Real>
void backwardHead(const AttentionShape& s, const AttentionTensors<Real>& t, std::int64_t b,
                  std::int64_t h, MatrixView<const Real> v_transposed, MatrixView<Real> ds) {
  const auto k = headOf(t.k, b, s.keys, h, s.key_size);
  const auto dq = headOf(t.dq, b, s.queries, h, s.key_size);
  auto dk = headOf(t.dk, b, s.keys, h, s.key_size);
  auto dv = headOf(t.dv, b, s.keys, h, s.value_size);
  // Every block of queries adds to them.
  if (s.causal) dk = {clearIfFresh(dk)};
  if (s.causal) dv = {clearIfFresh(dv)};
  const auto weights_of_all = scoresOf(t.dropped ? t.dropped : t.probabilities, s, b, h);
  const auto work = [&](std::int64_t i, std::int64_t count, std::int64_t seen) {
    const auto q = headOf(t.q, b, s.queries, h, s.key_size).rowsFrom(i, count);
    const auto dmixed = headOf(t.dmixed, b, s.queries, h, s.value_size).rowsFrom(i, count);
    const auto probabilities = scoresOf(t.probabilities, s, b, h).rowsFrom(i, count);
    const auto weights = weights_of_all.rowsFrom(i, count).colsFrom(0, seen);
    const auto wide = ds.rowsFrom(i, count).colsFrom(0, padded<Real>(seen));
    const auto cells = wide.colsFrom(0, seen);

    // mixed = weights v:  dweights = dmixed v^T,  dv += weights^T dmixed
    tileProduct<Real>(wide, plain(dmixed), v_transposed.colsFrom(0, wide.cols));
    accumulateTiles<Real>(dv.rowsFrom(0, seen), transposed<Real>(weights), dmixed);
    // weights = changed(dropout(probabilities)):
    //   dprobabilities = dweights * factor * keep / (1 - rate)
    if (t.dropped) {
      const std::int64_t first_row = (b * s.heads + h) * s.queries + i;
      overChanges<Real>(cells, t.changes, first_row,
                        [](Real& dp, const CellChange& change) { dp *= Real(change.factor); });
      applyDropout<Real>(cells, cells, s.keys, t.dropout, first_row);
    }
    softmaxRowsBackward<Real>(wide, probabilities.colsFrom(0, seen), scaleOf<Real>(s));
    // scores = q k^T + bias:  dq += ds k,  dk += ds^T q,  dbias += ds
    if (t.dbias) {
      GradientView<Real> dbias{scoresOf(t.dbias.sum, s, b, h).rowsFrom(i, count), t.dbias.fresh};
      if (s.causal) dbias = {clearIfFresh(dbias)};  // keys that no query of the block sees, too
      accumulateElementwise<Real>(
          dbias.colsFrom(0, seen), [](Lane<Real> x) { return x; }, MatrixView<const Real>(cells));
    }
    accumulateTiles<Real>(dq.rowsFrom(i, count), plain<Real>(cells), k.rowsFrom(0, seen));
    accumulateTiles<Real>(dk.rowsFrom(0, seen), transposed<Real>(cells), q);
  };
  overQueryBlocks(s, s.causal ? kQueryBlock : s.queries, work);
}

template <class Real>
void backwardSequence(const AttentionShape& s, const AttentionTensors<Real>& t, std::int64_t b) {
  const std::int64_t width = padded<Real>(s.keys);
  const std::int64_t value_cols = s.heads * s.value_size;
  const auto [v_memory, ds_memory] = scratch<Real>(value_cols * width, s.queries * width);
  const MatrixView<Real> v_transposed(v_memory, value_cols, width);
  const MatrixView<Real> ds(ds_memory, s.queries, width);
  transpose(v_transposed, t.v.rowsFrom(b * s.keys, s.keys));
  for (std::int64_t h = 0; h < s.heads; ++h)
    backwardHead<Real>(s, t, b, h, v_transposed.rowsFrom(h * s.value_size, s.value_size), ds);
}

/// Scaled dot-product attention of all heads (Vaswani et al. 2017, section 3.2).
template <class Real>
void attend(const AttentionShape& s, const AttentionTensors<Real>& t) {
  check(t.q.cols == s.heads * s.key_size && t.k.cols == s.heads * s.key_size,
        "attention: queries and keys have heads * key_size columns");
  check(t.v.cols == s.heads * s.value_size && t.mixed.cols == s.heads * s.value_size,
        "attention: values and mixed values have heads * value_size columns");
  check(!t.bias || (t.bias.rows == t.probabilities.rows && t.bias.cols == s.keys),
        "attention: one bias a query and key of every head");
  check(t.probabilities.rows == s.batch * s.heads * s.queries && t.probabilities.cols == s.keys,
        "attention: one probability a query and key of every head");
  if (!t.dropped && groupFits<Real>(s))
    for (std::int64_t i = 0; i < s.batch * s.heads; i += kTile<Real>) forwardGroup(s, t, i);
  else
    for (std::int64_t b = 0; b < s.batch; ++b) forwardSequence(s, t, b);
}

template <class Real>
void attendBackward(const AttentionShape& s, const AttentionTensors<Real>& t) {
  if (!t.dropped && groupFits<Real>(s))
    for (std::int64_t i = 0; i < s.batch * s.heads; i += kTile<Real>) backwardGroup(s, t, i);
  else
    for (std::int64_t b = 0; b < s.batch; ++b) backwardSequence(s, t, b);
}

}  // namespace tfm::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

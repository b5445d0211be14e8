// SPDX-License-Identifier: GPL-3.0-or-later
#if defined(TFM_CPU_INTERLEAVED_ATTENTION_H) == defined(HWY_TARGET_TOGGLE)  // see vectors.h
#ifdef TFM_CPU_INTERLEAVED_ATTENTION_H
#undef TFM_CPU_INTERLEAVED_ATTENTION_H
#else
#define TFM_CPU_INTERLEAVED_ATTENTION_H
#endif

#include <algorithm>
#include <array>
#include <limits>

#include "core/backend/cpu/attention_parts.h"
#include "core/backend/cpu/interleaved_product.h"
#include "core/backend/cpu/scratch.h"

// Attention of small heads without dropout, as many at once as a register has lanes: lane l belongs
// to the l-th head. No product is too narrow for a register, and sums and maxima run across
// registers.

HWY_BEFORE_NAMESPACE();
namespace tfm::cpu::HWY_NAMESPACE {
constexpr std::int64_t kCacheBytes = 32 * 1024;
// Queries per block.
constexpr std::int64_t kBlock = 4;

/// The heads first, first + 1, ... of all sequences, in the order of the score matrices. The last
/// one is repeated to fill a register.
template <class Real>
struct Group {
  const AttentionShape& s;
  std::int64_t first;

  std::int64_t size() const { return std::min(kTile<Real>, s.batch * s.heads - first); }
  std::int64_t member(std::int64_t l) const { return first + std::min(l, size() - 1); }

  /// Their parts of a (batch * positions) x (heads * size) matrix.
  template <class Any>
  HeadRows<Any> parts(MatrixView<Any> m, std::int64_t positions, std::int64_t cols) const {
    return rows<Any>(m.stride, cols, [&](std::int64_t l) {
      return m.row(member(l) / s.heads * positions) + member(l) % s.heads * cols;
    });
  }
  /// Their rows of a score matrix from `query` on.
  template <class Any>
  HeadRows<Any> scores(MatrixView<Any> m, std::int64_t query) const {
    return rows<Any>(m.stride, m.cols,
                     [&](std::int64_t l) { return m.row(member(l) * s.queries + query); });
  }

 private:
  template <class Any, class Where>
  HeadRows<Any> rows(std::int64_t stride, std::int64_t cols, const Where& where) const {
    HeadRows<Any> result{{}, stride, cols, size()};
    for (std::int64_t l = 0; l < kTile<Real>; ++l) result.first[std::size_t(l)] = where(l);
    return result;
  }
};

/// One register per key: kPadScore for padding.
template <class Real>
void padOffsets(Real* to, const Group<Real>& group, std::span<const std::int32_t> pad) {
  const std::int64_t keys = group.s.keys;
  for (std::int64_t l = 0; l < kTile<Real>; ++l) {
    const std::int64_t sequence = group.member(l) / group.s.heads;
    for (std::int64_t j = 0; j < keys; ++j) {
      const bool padding = !pad.empty() && pad[std::size_t(sequence * keys + j)] != 0;
      to[j * kTile<Real> + l] = padding ? Real(kPadScore) : Real(0);
    }
  }
}

/// row = row * scale + offsets, -infinity for keys that the mask hides. Returns the maximum.
template <class Real>
Lane<Real> scaleAndMask(Real* row, const Real* offsets, Lane<Real> scale, const AttentionShape& s,
                        std::int64_t query) {
  const Lane<Real> never = allOf(-std::numeric_limits<Real>::infinity());
  const std::int64_t first = s.firstSeen(query), end = s.endSeen(query);
  Lane<Real> top = never;
  for (std::int64_t j = 0; j < first; ++j) storeLane(row + j * kTile<Real>, never);
  for (std::int64_t j = first; j < end; ++j) {
    Real* cell = row + j * kTile<Real>;
    const Lane<Real> score = hn::MulAdd(loadLane(cell), scale, loadLane(offsets + j * kTile<Real>));
    storeLane(cell, score);
    top = hn::Max(top, score);
  }
  for (std::int64_t j = end; j < s.keys; ++j) storeLane(row + j * kTile<Real>, never);
  return top;
}

template <class Real>
void forwardGroup(const AttentionShape& s, const AttentionTensors<Real>& t, std::int64_t first) {
  constexpr std::int64_t kWide = kTile<Real>;
  const Group<Real> group{s, first};
  const auto [q, k, v, mixed, scores, offsets] = scratch<Real>(
      s.queries * s.key_size * kWide, s.keys * s.key_size * kWide, s.keys * s.value_size * kWide,
      s.queries * s.value_size * kWide, kBlock * s.keys * kWide, s.keys * kWide);
  interleave(q, group.parts(t.q, s.queries, s.key_size), s.queries);
  interleave(k, group.parts(t.k, s.keys, s.key_size), s.keys);
  interleave(v, group.parts(t.v, s.keys, s.value_size), s.keys);
  padOffsets(offsets, group, t.key_pad);
  const Interleaved<Real> keys{k, s.key_size, 1};
  const Interleaved<Real> values{v, s.value_size, 1};
  const Interleaved<Real> cells{scores, s.keys, 1};
  const Lane<Real> scale = allOf(scaleOf<Real>(s));

  overQueryBlocks(s, kBlock, [&](std::int64_t i, std::int64_t rows, std::int64_t seen) {
    // scores = q k^T + bias
    const Interleaved<Real> asking{q + i * s.key_size * kWide, s.key_size, 1};
    const std::int64_t shown = t.scores || t.masked ? s.keys : seen;
    if (t.bias) interleave(scores, group.scores(t.bias, i), rows);
    interleavedProduct<Real>(cells, asking, keys.transposed(), rows, shown, s.key_size,
                             bool(t.bias));
    if (t.scores) deinterleave<false>(group.scores(t.scores, i), scores, rows);
    // probabilities = softmax(scores / sqrt(key_size) + mask)
    std::array<Lane<Real>, kBlock> top;
    for (std::int64_t r = 0; r < rows; ++r)
      top[std::size_t(r)] = scaleAndMask(scores + r * s.keys * kWide, offsets, scale, s, i + r);
    if (t.masked) deinterleave<false>(group.scores(t.masked, i), scores, rows);
    for (std::int64_t r = 0; r < rows; ++r) {
      Real* row = scores + r * s.keys * kWide;
      const std::int64_t first_key = s.firstSeen(i + r), end = s.endSeen(i + r);
      std::fill(row, row + first_key * kWide, Real(0));
      softmaxAcross(row + first_key * kWide, top[std::size_t(r)], end - first_key, kWide);
      std::fill(row + end * kWide, row + s.keys * kWide, Real(0));
    }
    deinterleave<false>(group.scores(t.probabilities, i), scores, rows);
    // mixed = probabilities v
    const Interleaved<Real> out{mixed + i * s.value_size * kWide, s.value_size, 1};
    interleavedProduct<Real>(out, cells, values, rows, s.value_size, seen, false);
  });
  deinterleave<false>(group.parts(t.mixed, s.queries, s.value_size), mixed, s.queries);
}

/// p = softmax(x * scale):  dx = p * (dp - sum_j dp_j p_j) * scale, over dp.
template <class Real>
void softmaxBackward(Real* dp, const Real* p, Lane<Real> scale, std::int64_t keys) {
  Lane<Real> inner = allOf(Real(0));
  for (std::int64_t j = 0; j < keys * kTile<Real>; j += kTile<Real>)
    inner = hn::MulAdd(loadLane(dp + j), loadLane(p + j), inner);
  for (std::int64_t j = 0; j < keys * kTile<Real>; j += kTile<Real>) {
    const Lane<Real> share = hn::Mul(loadLane(p + j), scale);
    storeLane(dp + j, hn::Mul(share, hn::Sub(loadLane(dp + j), inner)));
  }
}

/// The sum of a gradient with what lies interleaved: `parts` are its members'.
template <class Real>
void accumulate(const GradientView<Real>& to, const HeadRows<Real>& parts, const Real* from,
                std::int64_t rows) {
  if (to.fresh)
    deinterleave<false>(parts, from, rows);
  else
    deinterleave<true>(parts, from, rows);
}

template <class Real>
void backwardGroup(const AttentionShape& s, const AttentionTensors<Real>& t, std::int64_t first) {
  constexpr std::int64_t kWide = kTile<Real>;
  const Group<Real> group{s, first};
  const std::int64_t q_size = s.queries * s.key_size * kWide;
  const std::int64_t k_size = s.keys * s.key_size * kWide;
  const std::int64_t v_size = s.keys * s.value_size * kWide;
  const auto [q, k, v, dmixed, dq, dk, dv, p, ds] =
      scratch<Real>(q_size, k_size, v_size, s.queries * s.value_size * kWide, q_size, k_size,
                    v_size, kBlock * s.keys * kWide, kBlock * s.keys * kWide);
  interleave(q, group.parts(t.q, s.queries, s.key_size), s.queries);
  interleave(k, group.parts(t.k, s.keys, s.key_size), s.keys);
  interleave(v, group.parts(t.v, s.keys, s.value_size), s.keys);
  interleave(dmixed, group.parts(t.dmixed, s.queries, s.value_size), s.queries);
  const Interleaved<Real> keys{k, s.key_size, 1}, dkeys{dk, s.key_size, 1};
  const Interleaved<Real> values{v, s.value_size, 1}, dvalues{dv, s.value_size, 1};
  const Interleaved<Real> weights{p, s.keys, 1}, dscores{ds, s.keys, 1};
  const Lane<Real> scale = allOf(scaleOf<Real>(s));
  std::fill_n(dk, k_size, Real(0));
  std::fill_n(dv, v_size, Real(0));

  overQueryBlocks(s, kBlock, [&](std::int64_t i, std::int64_t rows, std::int64_t seen) {
    const Interleaved<Real> asking{q + i * s.key_size * kWide, s.key_size, 1};
    const Interleaved<Real> dasking{dq + i * s.key_size * kWide, s.key_size, 1};
    const Interleaved<Real> dout{dmixed + i * s.value_size * kWide, s.value_size, 1};
    interleave(p, group.scores(MatrixView<const Real>(t.probabilities), i), rows);
    // mixed = p v:  dp = dmixed v^T,  dv += p^T dmixed
    interleavedProduct<Real>(dscores, dout, values.transposed(), rows, seen, s.value_size, false);
    interleavedProduct<Real>(dvalues, weights.transposed(), dout, seen, s.value_size, rows, true);
    for (std::int64_t r = 0; r < rows; ++r)
      softmaxBackward(ds + r * s.keys * kWide, p + r * s.keys * kWide, scale, seen);
    // scores = q k^T + bias:  dq = ds k,  dk += ds^T q,  dbias += ds
    if (t.dbias) {
      for (std::int64_t r = 0; r < rows; ++r)
        std::fill(ds + (r * s.keys + seen) * kWide, ds + (r + 1) * s.keys * kWide, Real(0));
      accumulate(t.dbias, group.scores(t.dbias.sum, i), ds, rows);
    }
    interleavedProduct<Real>(dasking, dscores, keys, rows, s.key_size, seen, false);
    interleavedProduct<Real>(dkeys, dscores.transposed(), asking, seen, s.key_size, rows, true);
  });
  if (t.dq) accumulate(t.dq, group.parts(t.dq.sum, s.queries, s.key_size), dq, s.queries);
  if (t.dk) accumulate(t.dk, group.parts(t.dk.sum, s.keys, s.key_size), dk, s.keys);
  if (t.dv) accumulate(t.dv, group.parts(t.dv.sum, s.keys, s.value_size), dv, s.keys);
}

/// Whether the data of a group of heads fits the L1 cache.
template <class Real>
bool groupFits(const AttentionShape& s) {
  const std::int64_t numbers = (s.queries + s.keys) * (s.key_size + s.value_size);
  return numbers * kTile<Real> * std::int64_t(sizeof(Real)) <= kCacheBytes;
}

}  // namespace tfm::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <limits>

#define HWY_TARGET_INCLUDE "core/program/ops/cached_attention.cpp"
#include <hwy/foreach_target.h>  // comes before highway.h

#include "core/backend/cpu/attention_parts.h"
#include "core/backend/cpu/exponential.h"
#include "core/backend/cpu/scratch.h"
#include "core/backend/cpu/target.h"
#include "core/backend/cpu/vectors.h"
#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::ops::HWY_NAMESPACE {
namespace {

using namespace cpu::HWY_NAMESPACE;

/// scores[j] = scale * sum_c query[c] keys[c, j], whole blocks of keys, at least `count`.
template <class Real>
void scoreKeys(Real* scores, const Real* query, MatrixView<const Real> keys, Real scale,
               std::int64_t count) {
  constexpr std::int64_t kRegisters = 4;
  static_assert(kKeptStep % (kRegisters * kTile<Real>) == 0);
  for (std::int64_t j = 0; j < count; j += kRegisters * kTile<Real>) {
    Lane<Real> sums[kRegisters];
    for (Lane<Real>& sum : sums) sum = allOf(Real(0));
    for (std::int64_t c = 0; c < keys.rows; ++c) {
      const Lane<Real> factor = allOf(query[c]);
      const Real* key = keys.row(c) + j;
#pragma GCC unroll 4
      for (std::int64_t n = 0; n < kRegisters; ++n)
        sums[n] = hn::MulAdd(factor, loadLane(key + n * kTile<Real>), sums[n]);
    }
#pragma GCC unroll 4
    for (std::int64_t n = 0; n < kRegisters; ++n)
      storeLane(scores + j + n * kTile<Real>, hn::Mul(sums[n], allOf(scale)));
  }
}

/// The softmax of the first `count` scores but for its division, by what is returned. What follows
/// them is overwritten, up to the end of a register.
template <class Real>
Real softmaxOver(Real* scores, std::int64_t count) {
  std::fill_n(scores + count, padded<Real>(count) - count, -std::numeric_limits<Real>::infinity());
  Lane<Real> top = loadLane(scores);
  for (std::int64_t j = kTile<Real>; j < count; j += kTile<Real>)
    top = hn::Max(top, loadLane(scores + j));
  top = hn::MaxOfLanes(Tag<Real>(), top);
  Lane<Real> sums = allOf(Real(0));
  for (std::int64_t j = 0; j < count; j += kTile<Real>) {
    const Lane<Real> share = exponential(hn::Sub(loadLane(scores + j), top));
    storeLane(scores + j, share);
    sums = hn::Add(sums, firstOf<Real>(share, std::min(count - j, kTile<Real>)));
  }
  return sumOf<Real>(sums);
}

/// mixed = factor * sum_j shares[j] values[j]
template <class Real>
void mixValues(Real* mixed, const Real* shares, MatrixView<const Real> values, Real factor) {
  overRow<Real>(values.cols, [&](std::int64_t col, std::int64_t left) {
    // Two independent sums hide part of the latency.
    Lane<Real> even = allOf(Real(0)), odd = even;
    std::int64_t j = 0;
    for (; j + 1 < values.rows; j += 2) {
      even = hn::MulAdd(allOf(shares[j]), loadSome(values.row(j) + col, left), even);
      odd = hn::MulAdd(allOf(shares[j + 1]), loadSome(values.row(j + 1) + col, left), odd);
    }
    if (j < values.rows)
      even = hn::MulAdd(allOf(shares[j]), loadSome(values.row(j) + col, left), even);
    storeSome(mixed + col, hn::Mul(hn::Add(even, odd), allOf(factor)), left);
  });
}

struct CachedAttentionKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const CachedAttentionArguments& a = c.template get<CachedAttentionArguments>();
    const AttentionShape& s = a.shape;
    const auto q = c.in(0), k = c.in(1), v = c.in(2);
    const auto places = c.ids(3);
    const auto mixed = c.out(0), keys = c.out(1), values = c.out(2);
    for (std::int64_t r = 0; r < k.rows; ++r) {
      const std::int64_t place = places[std::size_t(r)], sequence = r / s.queries;
      check(place >= 0 && place < s.keys, "cached attention: there is room for the position");
      for (std::int64_t col = 0; col < k.cols; ++col)
        keys.at(sequence * k.cols + col, place) = k.at(r, col);
      std::copy_n(v.row(r), v.cols, values.row(sequence * s.keys + place));
    }
    const auto bias = c.in(4);
    const auto [memory] = cpu::scratch<Real>(s.keys + kTile<Real>);
    for (std::int64_t r = 0; r < q.rows; ++r) {
      const std::int64_t place = places[std::size_t(r)], sequence = r / s.queries;
      const std::int64_t first = s.firstSeen(place), seen = s.endSeen(place) - first;
      const std::int64_t block = first / kKeptStep * kKeptStep;
      for (std::int64_t head = 0; head < s.heads; ++head) {
        const std::int64_t shared = head / a.group;
        scoreKeys<Real>(memory, q.row(r) + head * s.key_size,
                        keys.rowsFrom(sequence * k.cols + shared * s.key_size, s.key_size)
                            .colsFrom(block, s.keys - block),
                        scaleOf<Real>(s), first - block + seen);
        Real* scores = memory + (first - block);
        if (bias) {
          const Real* added =
              bias.row((sequence * s.heads + head) * s.queries + r % s.queries) + first;
          for (std::int64_t j = 0; j < seen; ++j) scores[j] += added[j] * scaleOf<Real>(s);
        }
        const Real sum = softmaxOver<Real>(scores, seen);
        mixValues<Real>(mixed.row(r) + head * s.value_size, scores,
                        values.rowsFrom(sequence * s.keys + first, seen)
                            .colsFrom(shared * s.value_size, s.value_size),
                        Real(1) / sum);
      }
    }
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    // Fewer, where not all are kept yet.
    const AttentionShape& s = c.template get<CachedAttentionArguments>().shape;
    return s.batch * s.heads * s.queries * s.keys * (2 * s.key_size + 2 * s.value_size + 5);
  }
};

Op cachedAttentionOp() {
  return makeForwardOp<CachedAttentionKernels>(
      "cached attention", "mixed = softmax((q [kept k; k]^T + bias) / sqrt(key size)) [kept v; v]",
      true);
}

}  // namespace
}  // namespace tfm::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tfm::ops {

HWY_EXPORT(cachedAttentionOp);

const Op kCachedAttention =
    cpu::onTargets([](KernelSet) { return HWY_DYNAMIC_DISPATCH(cachedAttentionOp)(); });

TensorId cachedAttention(ProgramBuilder& b, const std::string& path, TensorId q, TensorId k,
                         TensorId v, TensorId places, const CachedAttentionArguments& a,
                         TensorId bias) {
  const AttentionShape& s = a.shape;
  const std::int64_t rows = s.batch * s.queries;
  const TensorInfo key = b.tensor(k), value = b.tensor(v);
  check(b.tensor(q).rows == rows && key.rows == rows && value.rows == rows &&
            b.tensor(places).rows == rows && b.tensor(places).role == Role::Ids,
        "cached attention: a query, key, value and place for each position");
  check(s.heads % a.group == 0 && b.tensor(q).cols == s.heads * s.key_size &&
            key.cols == a.keyColumns() && value.cols == s.heads / a.group * s.value_size,
        "cached attention: heads * size columns");
  check(s.causal && s.keys % kKeptStep == 0, "cached attention: a causal mask, and whole blocks");
  check(
      bias == kNoTensor || (b.tensor(bias).rows == rows * s.heads && b.tensor(bias).cols == s.keys),
      "cached attention: one bias a query and key of every head");
  const TensorId mixed = b.activation(path + ".mixed", rows, s.heads * s.value_size);
  b.append({&kCachedAttention,
            path,
            {q, k, v, places, bias},
            {mixed, b.state(path + ".kept_keys", s.batch * key.cols, s.keys),
             b.state(path + ".kept_values", s.batch * s.keys, value.cols)},
            a});
  return mixed;
}

}  // namespace tfm::ops
#endif

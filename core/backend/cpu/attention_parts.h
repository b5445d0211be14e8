// SPDX-License-Identifier: GPL-3.0-or-later
#if defined(TFM_CPU_ATTENTION_PARTS_H) == defined(HWY_TARGET_TOGGLE)  // see vectors.h
#ifdef TFM_CPU_ATTENTION_PARTS_H
#undef TFM_CPU_ATTENTION_PARTS_H
#else
#define TFM_CPU_ATTENTION_PARTS_H
#endif

#include <algorithm>
#include <cmath>

#include "core/backend/cpu/attention_tensors.h"
#include "core/backend/cpu/exponential.h"
#include "core/backend/cpu/vectors.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::cpu::HWY_NAMESPACE {
/// The rows of one head of one sequence in a (batch * positions) x (heads * size) matrix, or of its
/// gradient.
template <class Matrix>
Matrix headOf(Matrix m, std::int64_t sequence, std::int64_t positions, std::int64_t head,
              std::int64_t size) {
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

/// Calls work(query, queries, keys) for blocks of `block` queries; keys from `keys` on are masked
/// for the whole block.
template <class Work>
void overQueryBlocks(const AttentionShape& s, std::int64_t block, const Work& work) {
  for (std::int64_t i = 0; i < s.queries; i += block) {
    const std::int64_t count = std::min(block, s.queries - i);
    work(i, count, s.endSeen(i + count - 1));
  }
}

/// Softmax over `count` registers, `stride` apart, of which `top` is the largest, number by number.
/// Cells whose probability would underflow become exactly 0.
template <class Real>
void softmaxAcross(Real* cells, Lane<Real> top, std::int64_t count, std::int64_t stride) {
  // The smallest exponential is subtracted, below the precision of all others, so that masked cells
  // are exactly 0.
  const Lane<Real> least = exponential(allOf(kLowestExponent<Real>));
  Lane<Real> sum = allOf(Real(0));
  for (std::int64_t j = 0; j < count; ++j) {
    Real* cell = cells + j * stride;
    const Lane<Real> share = hn::Sub(exponential(hn::Sub(loadLane(cell), top)), least);
    storeLane(cell, share);
    sum = hn::Add(sum, share);
  }
  const Lane<Real> factor = hn::Div(allOf(Real(1)), sum);
  for (std::int64_t j = 0; j < count; ++j) {
    Real* cell = cells + j * stride;
    storeLane(cell, hn::Mul(loadLane(cell), factor));
  }
}

}  // namespace tfm::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

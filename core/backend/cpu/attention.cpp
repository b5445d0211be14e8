// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/attention.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/backend/cpu/eigen_map.h"
#include "core/backend/cpu/tile_product.h"
#include "core/base/check.h"
#include "core/tensor/aligned_vector.h"

namespace tfm::cpu {
namespace {

/// Working memory of one thread, kept between calls so that a training step allocates nothing.
template <class Real>
class Scratch {
 public:
  /// Room for the given numbers of elements, each piece aligned to a tile.
  template <class... Sizes>
  static std::array<Real*, sizeof...(Sizes)> pieces(Sizes... sizes) {
    thread_local AlignedVector<Real> memory;
    const std::array<std::int64_t, sizeof...(Sizes)> lengths{padded<Real>(sizes)...};
    std::int64_t total = 0;
    for (std::int64_t length : lengths) total += length;
    if (std::int64_t(memory.size()) < total) memory.resize(std::size_t(total));
    std::array<Real*, sizeof...(Sizes)> result;
    Real* next = memory.data();
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      result[i] = next;
      next += lengths[i];
    }
    return result;
  }
};

template <class Real>
using Lanes = Eigen::Map<Eigen::Array<Real, 1, Eigen::Dynamic>>;

// exp() of anything below this is zero in Real; said outright so that masked cells are exactly zero.
template <class Real>
constexpr Real kLowestExponent = sizeof(Real) == 4 ? Real(-87) : Real(-708);

/// Softmax over the first `allowed` of `keys` numbers; the others become 0.
template <class Real>
void softmaxRow(Real* row, std::int64_t allowed, std::int64_t keys) {
  Lanes<Real> live(row, allowed);
  live -= live.maxCoeff();
  live = (live > kLowestExponent<Real>).select(live.exp(), Real(0));
  live *= Real(1) / live.sum();
  std::fill(row + allowed, row + keys, Real(0));
}

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
void forwardHead(const AttentionShape& s, const AttentionTensors<Real>& t, std::int64_t b,
                 std::int64_t h) {
  const auto q = headOf(t.q, b, s.queries, h, s.key_size);
  const auto k = headOf(t.k, b, s.keys, h, s.key_size);
  const auto v = headOf(t.v, b, s.keys, h, s.value_size);
  const auto probabilities = scoresOf(t.probabilities, s, b, h);
  const std::int64_t width = padded<Real>(s.keys);
  const auto [keys, values] =
      Scratch<Real>::pieces(s.key_size * width, s.keys * padded<Real>(s.value_size));
  packTransposed(keys, k);
  pack(values, v);

  // scores = q k^T
  tileProduct(probabilities, StridedMatrix<Real>{q.data, q.stride, 1}, keys, s.key_size, false);
  if (t.scores) map(scoresOf(t.scores, s, b, h)) = map(probabilities);

  // masked = scores / sqrt(key_size) + kPadScore at padding; then softmax
  const Real scale = Real(1.0 / std::sqrt(double(s.key_size)));
  for (std::int64_t i = 0; i < s.queries; ++i) {
    Real* row = probabilities.row(i);
    const std::int64_t allowed = s.causal ? std::min(i + 1, s.keys) : s.keys;
    for (std::int64_t j = 0; j < allowed; ++j) row[j] *= scale;
    if (!t.key_pad.empty()) {
      const std::int32_t* pad = t.key_pad.data() + b * s.keys;
      for (std::int64_t j = 0; j < allowed; ++j)
        row[j] += pad[j] != 0 ? Real(kPadScore) : Real(0);
    }
    if (t.masked) {
      Real* masked = scoresOf(t.masked, s, b, h).row(i);
      std::copy(row, row + allowed, masked);
      std::fill(masked + allowed, masked + s.keys, -std::numeric_limits<Real>::infinity());
    }
    softmaxRow(row, allowed, s.keys);
  }

  // mixed = dropout(probabilities) v
  MatrixView<Real> weights = probabilities;
  if (t.dropped) {
    weights = scoresOf(t.dropped, s, b, h);
    const Real kept = Real(1.0 / (1.0 - t.dropout.rate));
    const std::int64_t first = (b * s.heads + h) * s.queries;
    for (std::int64_t i = 0; i < s.queries; ++i)
      for (std::int64_t j = 0; j < s.keys; ++j)
        weights.at(i, j) =
            t.dropout.keeps(first + i, s.keys, j) ? probabilities.at(i, j) * kept : Real(0);
  }
  tileProduct(headOf(t.mixed, b, s.queries, h, s.value_size),
              StridedMatrix<Real>{weights.data, weights.stride, 1}, values, s.keys, false);
}

template <class Real>
void backwardHead(const AttentionShape& s, const AttentionGradients<Real>& t, std::int64_t b,
                  std::int64_t h) {
  const auto q = headOf(t.q, b, s.queries, h, s.key_size);
  const auto k = headOf(t.k, b, s.keys, h, s.key_size);
  const auto v = headOf(t.v, b, s.keys, h, s.value_size);
  const auto probabilities = scoresOf(t.probabilities, s, b, h);
  const auto weights = t.dropped ? scoresOf(t.dropped, s, b, h) : probabilities;
  const auto dmixed = headOf(t.dmixed, b, s.queries, h, s.value_size);
  const std::int64_t width = padded<Real>(s.keys);
  const std::int64_t key_width = padded<Real>(s.key_size);
  const std::int64_t value_width = padded<Real>(s.value_size);
  const auto [ds_data, values, dmixed_packed, keys, queries] = Scratch<Real>::pieces(
      s.queries * width, s.value_size * width, s.queries * value_width, s.keys * key_width,
      s.queries * key_width);

  // mixed = weights v:  dweights = dmixed v^T,  dv += weights^T dmixed
  packTransposed(values, v);
  const MatrixView<Real> ds(ds_data, s.queries, s.keys, width);
  tileProduct(ds, StridedMatrix<Real>{dmixed.data, dmixed.stride, 1}, values, s.value_size, false);
  pack(dmixed_packed, dmixed);
  if (t.dv)
    tileProduct(headOf(t.dv, b, s.keys, h, s.value_size),
                StridedMatrix<Real>{weights.data, 1, weights.stride}, dmixed_packed, s.queries,
                true);

  // weights = dropout(probabilities):  dprobabilities = dweights * keep / (1 - rate)
  if (t.dropped) {
    const Real kept = Real(1.0 / (1.0 - t.dropout.rate));
    const std::int64_t first = (b * s.heads + h) * s.queries;
    for (std::int64_t i = 0; i < s.queries; ++i)
      for (std::int64_t j = 0; j < s.keys; ++j)
        ds.at(i, j) = t.dropout.keeps(first + i, s.keys, j) ? ds.at(i, j) * kept : Real(0);
  }

  // p = softmax(q k^T / sqrt(key_size)):  ds = p * (dp - sum_j dp_j p_j) / sqrt(key_size)
  const Real scale = Real(1.0 / std::sqrt(double(s.key_size)));
  for (std::int64_t i = 0; i < s.queries; ++i) {
    const auto p = map(probabilities).row(i).array();
    auto row = map(ds).row(i).array();
    const Real inner = (row * p).sum();
    row = p * (row - inner) * scale;
  }

  // scores = q k^T:  dq += ds k,  dk += ds^T q
  if (t.dq) {
    pack(keys, k);
    tileProduct(headOf(t.dq, b, s.queries, h, s.key_size), StridedMatrix<Real>{ds.data, ds.stride, 1},
                keys, s.keys, true);
  }
  if (t.dk) {
    pack(queries, q);
    tileProduct(headOf(t.dk, b, s.keys, h, s.key_size), StridedMatrix<Real>{ds.data, 1, ds.stride},
                queries, s.queries, true);
  }
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
  for (std::int64_t b = 0; b < s.batch; ++b)
    for (std::int64_t h = 0; h < s.heads; ++h) forwardHead(s, t, b, h);
}

template <class Real>
void Attention<Real>::backward(const AttentionShape& s, const AttentionGradients<Real>& t) {
  for (std::int64_t b = 0; b < s.batch; ++b)
    for (std::int64_t h = 0; h < s.heads; ++h) backwardHead(s, t, b, h);
}

template struct Attention<float>;
template struct Attention<double>;

}  // namespace tfm::cpu

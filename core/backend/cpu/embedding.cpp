// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/embedding.h"

#include <algorithm>

#include "core/backend/cpu/eigen_map.h"
#include "core/base/check.h"

namespace tfm::cpu {

template <class Real>
void Embedding<Real>::forward(Out y, std::span<const std::int32_t> ids, In table, Real scale) {
  for (std::int64_t r = 0; r < y.rows; ++r) {
    check(ids[r] >= 0 && ids[r] < table.rows, "embedding: token ids lie in the vocabulary");
    map(y).row(r) = scale * map(table).row(ids[r]);
  }
}

template <class Real>
void Embedding<Real>::backward(Out dtable, std::span<const std::int32_t> ids, In dy, Real scale) {
  // y[r] = scale * table[ids[r]]
  if (!dtable) return;
  for (std::int64_t r = 0; r < dy.rows; ++r) map(dtable).row(ids[r]) += scale * map(dy).row(r);
}

template <class Real>
void AddPositions<Real>::forward(Out y, In x, In positions, std::int64_t length) {
  check(positions.rows >= length, "positions: the table covers the sequence");
  for (std::int64_t first = 0; first < x.rows; first += length)
    map(y).middleRows(first, length) =
        map(x).middleRows(first, length) + map(positions).topRows(length);
}

template <class Real>
void AddPositions<Real>::backward(Out dx, Out dpositions, In dy, std::int64_t length) {
  // y[r] = x[r] + positions[r mod length]
  if (dx) map(dx) += map(dy);
  if (!dpositions) return;
  for (std::int64_t first = 0; first < dy.rows; first += length)
    map(dpositions).topRows(length) += map(dy).middleRows(first, length);
}

namespace {

std::int64_t realRows(std::span<const std::int32_t> pad, std::int64_t first, std::int64_t length) {
  const auto flags = pad.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(length));
  return std::count(flags.begin(), flags.end(), 0);
}

}  // namespace

template <class Real>
void MeanPool<Real>::forward(Out y, In x, std::span<const std::int32_t> pad, std::int64_t length) {
  map(y).setZero();
  for (std::int64_t b = 0; b < y.rows; ++b) {
    const std::int64_t first = b * length;
    const Real share = Real(1) / Real(std::max<std::int64_t>(1, realRows(pad, first, length)));
    for (std::int64_t r = first; r < first + length; ++r)
      if (pad[r] == 0) map(y).row(b) += share * map(x).row(r);
  }
}

template <class Real>
void MeanPool<Real>::backward(Out dx, In dy, std::span<const std::int32_t> pad,
                              std::int64_t length) {
  // y[b] = sum of real rows / number of real rows
  if (!dx) return;
  for (std::int64_t b = 0; b < dy.rows; ++b) {
    const std::int64_t first = b * length;
    const Real share = Real(1) / Real(std::max<std::int64_t>(1, realRows(pad, first, length)));
    for (std::int64_t r = first; r < first + length; ++r)
      if (pad[r] == 0) map(dx).row(r) += share * map(dy).row(b);
  }
}

template struct Embedding<float>;
template struct Embedding<double>;
template struct AddPositions<float>;
template struct AddPositions<double>;
template struct MeanPool<float>;
template struct MeanPool<double>;

}  // namespace tfm::cpu

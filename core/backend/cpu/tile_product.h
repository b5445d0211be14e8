// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/tensor/matrix_view.h"

namespace tfm::cpu {

/// A matrix read with any two strides, so that a transpose costs nothing.
template <class Real>
struct StridedMatrix {
  const Real* data;
  std::int64_t row_stride;
  std::int64_t col_stride;
};

template <class Real>
StridedMatrix<Real> plain(MatrixView<const Real> m) {
  return {m.data, m.stride, 1};
}
template <class Real>
StridedMatrix<Real> transposed(MatrixView<const Real> m) {
  return {m.data, 1, m.stride};
}

/// c = a b + start in each row (start: c.cols numbers, or nullptr for none) for small matrices,
/// where a general matrix product spends its time on preparation. c: rows x cols, a: rows x b.rows,
/// b: b.rows x cols.
template <class Real>
void tileProduct(MatrixView<Real> c, StridedMatrix<Real> a, MatrixView<const Real> b,
                 const Real* start = nullptr);

/// c += a b, likewise.
template <class Real>
void addTileProduct(MatrixView<Real> c, StridedMatrix<Real> a, MatrixView<const Real> b);

/// out += the sum of x's rows.   out: 1 x x.cols
template <class Real>
void addRows(MatrixView<Real> out, MatrixView<const Real> x);

/// y = x^T. y may be wider than x has rows: what fills it up is zero.
template <class Real>
void transpose(MatrixView<Real> y, MatrixView<const Real> x);

}  // namespace tfm::cpu

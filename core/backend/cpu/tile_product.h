// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/backend/cpu/strided_matrix.h"
#include "core/tensor/matrix_view.h"

namespace tfm::cpu {

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

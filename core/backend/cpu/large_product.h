// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/backend/cpu/strided_matrix.h"
#include "core/tensor/matrix_view.h"

namespace tfm::cpu {

/// c = a b, or c += a b, for matrices too large for tileProduct: OpenBLAS on the calling thread
/// alone. c: rows x cols, a: rows x depth, b: depth x cols. One stride of a and of b is 1.
template <class Real>
void largeProduct(MatrixView<Real> c, StridedMatrix<Real> a, StridedMatrix<Real> b,
                  std::int64_t depth);
template <class Real>
void addLargeProduct(MatrixView<Real> c, StridedMatrix<Real> a, StridedMatrix<Real> b,
                     std::int64_t depth);

}  // namespace tfm::cpu

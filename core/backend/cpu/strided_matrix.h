// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/tensor/matrix_view.h"

namespace tfm::cpu {

/// A matrix with arbitrary row and column strides, so that transposing is free.
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

}  // namespace tfm::cpu

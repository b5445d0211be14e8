// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/tensor/matrix_view.h"

namespace tfm::cpu {

#if defined(__AVX512F__)
inline constexpr std::int64_t kVectorBytes = 64;
#else
inline constexpr std::int64_t kVectorBytes = 32;
#endif

/// Columns that one tile of tileProduct covers; packed matrices are padded to a multiple of it.
template <class Real>
inline constexpr std::int64_t kTile = kVectorBytes / sizeof(Real);

template <class Real>
constexpr std::int64_t padded(std::int64_t cols) {
  return (cols + kTile<Real> - 1) / kTile<Real> * kTile<Real>;
}

/// A matrix read with any two strides, so that a transpose costs nothing.
template <class Real>
struct StridedMatrix {
  const Real* data;
  std::int64_t row_stride;
  std::int64_t col_stride;
};

/// c = a b (or c += a b) for the small matrices of attention, where a general matrix product spends
/// its time on preparation. b is packed: `depth` rows of padded(c.cols) numbers. c may have any
/// stride. a: c.rows x depth.
template <class Real>
void tileProduct(MatrixView<Real> c, StridedMatrix<Real> a, const Real* b, std::int64_t depth,
                 bool accumulate);

/// Copies x, times `factor`, into rows of padded(x.cols) numbers; the rest of each row is zero.
template <class Real>
void pack(Real* packed, MatrixView<const Real> x, Real factor = Real(1));

/// Copies the transpose of x into x.cols rows of padded(x.rows) numbers; the rest of each row is
/// zero.
template <class Real>
void packTransposed(Real* packed, MatrixView<const Real> x);

}  // namespace tfm::cpu

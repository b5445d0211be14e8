// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <type_traits>

namespace tfm {

/// A non-owning row-major view of a matrix: element (r, c) is data[r * stride + c]. With a stride,
/// part of a larger matrix is a view too, so nested submodels need no copies.
template <class Real>
struct MatrixView {
  Real* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t stride = 0;

  MatrixView() = default;
  MatrixView(Real* d, std::int64_t r, std::int64_t c, std::int64_t s)
      : data(d), rows(r), cols(c), stride(s) {}
  MatrixView(Real* d, std::int64_t r, std::int64_t c) : MatrixView(d, r, c, c) {}

  explicit operator bool() const { return data != nullptr; }
  Real& at(std::int64_t r, std::int64_t c) const { return data[r * stride + c]; }
  Real* row(std::int64_t r) const { return data + r * stride; }
  std::int64_t size() const { return rows * cols; }

  /// Rows `first` to first + count - 1.
  MatrixView rowsFrom(std::int64_t first, std::int64_t count) const {
    return {data + first * stride, count, cols, stride};
  }
  /// Columns `first` to first + count - 1.
  MatrixView colsFrom(std::int64_t first, std::int64_t count) const {
    return {data + first, rows, count, stride};
  }

  operator MatrixView<const Real>() const requires(!std::is_const_v<Real>) {
    return {data, rows, cols, stride};
  }
};

}  // namespace tfm

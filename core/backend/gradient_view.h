// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/tensor/matrix_view.h"

namespace tfm {

/// The accumulator of a gradient. While it is fresh, nothing has been added: its content is ignored
/// and overwritten, which saves setting it to zero and reading it back (transformarium-cli bench
/// --fresh measures how much).
template <class Real>
struct GradientView {
  MatrixView<Real> sum;
  bool fresh = false;

  GradientView() = default;
  /// A sum that is not fresh.
  GradientView(MatrixView<Real> s) : sum(s) {}
  GradientView(MatrixView<Real> s, bool f) : sum(s), fresh(f) {}

  explicit operator bool() const { return bool(sum); }

  /// Parts of it; nothing of nothing.
  GradientView rowsFrom(std::int64_t row, std::int64_t count) const {
    return sum ? GradientView(sum.rowsFrom(row, count), fresh) : *this;
  }
  GradientView colsFrom(std::int64_t col, std::int64_t count) const {
    return sum ? GradientView(sum.colsFrom(col, count), fresh) : *this;
  }
};

/// The sum, cleared first if it is fresh; for backward passes that only add.
template <class Real>
MatrixView<Real> clearIfFresh(const GradientView<Real>& gradient) {
  const MatrixView<Real>& sum = gradient.sum;
  if (!gradient.fresh) return sum;
  if (sum.stride == sum.cols) {
    std::fill_n(sum.data, sum.size(), Real(0));
    return sum;
  }
  for (std::int64_t r = 0; r < sum.rows; ++r) std::fill_n(sum.row(r), sum.cols, Real(0));
  return sum;
}

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include "core/tensor/matrix_view.h"

namespace tfm::cpu {

template <class Real>
using RowMajor = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class Real>
using MatrixMap = Eigen::Map<RowMajor<Real>, Eigen::Unaligned, Eigen::OuterStride<>>;
template <class Real>
using ConstMatrixMap = Eigen::Map<const RowMajor<Real>, Eigen::Unaligned, Eigen::OuterStride<>>;

/// The view as an Eigen matrix over the same memory.
template <class Real>
MatrixMap<Real> map(MatrixView<Real> v) {
  return {v.data, v.rows, v.cols, Eigen::OuterStride<>(v.stride)};
}
template <class Real>
ConstMatrixMap<Real> map(MatrixView<const Real> v) {
  return {v.data, v.rows, v.cols, Eigen::OuterStride<>(v.stride)};
}

/// Matrices without gaps as one long row, so that vector registers are filled whatever the number
/// of columns.
template <class Real, class... Views>
void flatten(MatrixView<Real>& first, Views&... others) {
  const auto whole = [](const auto& m) { return !m || m.stride == m.cols; };
  if (!whole(first) || !(whole(others) && ...)) return;
  const auto flat = [](auto& m) {
    if (m) m = {m.data, 1, m.size()};
  };
  flat(first);
  (flat(others), ...);
}

/// The sum of a gradient with `part`.
template <class Sum, class Part>
void accumulate(Sum&& sum, bool fresh, const Part& part) {
  if (fresh)
    sum = part;
  else
    sum += part;
}

}  // namespace tfm::cpu

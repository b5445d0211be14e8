// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include "core/tensor/matrix_view.h"

namespace tfm {

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

}  // namespace tfm

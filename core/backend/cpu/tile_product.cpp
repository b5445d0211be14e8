// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/tile_product.h"

#include <Eigen/Core>
#include <algorithm>

namespace tfm::cpu {
namespace {

/// `kRows` rows by `kWidth` tiles of c at once: all of them stay in registers over the whole depth.
template <class Real, int kRows, int kWidth>
void tile(Real* c, std::int64_t c_stride, std::int64_t cols, StridedMatrix<Real> a, const Real* b,
          std::int64_t b_stride, std::int64_t depth, bool accumulate) {
  using Lane = Eigen::Array<Real, kTile<Real>, 1>;
  using Packed = Eigen::Map<const Lane>;
  Lane sum[kRows][kWidth];
  for (auto& row : sum)
    for (Lane& lane : row) lane.setZero();
  for (std::int64_t k = 0; k < depth; ++k) {
    Lane right[kWidth];
    for (int w = 0; w < kWidth; ++w) right[w] = Packed(b + k * b_stride + w * kTile<Real>);
    for (int r = 0; r < kRows; ++r) {
      const Real left = a.data[r * a.row_stride + k * a.col_stride];
      for (int w = 0; w < kWidth; ++w) sum[r][w] += left * right[w];
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int w = 0; w < kWidth; ++w) {
      Real* out = c + r * c_stride + w * kTile<Real>;
      const std::int64_t left = std::min(kTile<Real>, cols - w * kTile<Real>);
      if (left == kTile<Real>) {
        Eigen::Map<Lane> target(out);
        target = accumulate ? Lane(target + sum[r][w]) : sum[r][w];
      } else {
        for (std::int64_t i = 0; i < left; ++i)
          out[i] = accumulate ? out[i] + sum[r][w](i) : sum[r][w](i);
      }
    }
  }
}

template <class Real, int kRows>
void rowBlock(MatrixView<Real> c, StridedMatrix<Real> a, const Real* b, std::int64_t depth,
              bool accumulate) {
  const std::int64_t b_stride = padded<Real>(c.cols);
  std::int64_t col = 0;
  for (; b_stride - col >= 2 * kTile<Real>; col += 2 * kTile<Real>)
    tile<Real, kRows, 2>(c.data + col, c.stride, c.cols - col, a, b + col, b_stride, depth,
                         accumulate);
  if (col < b_stride)
    tile<Real, kRows, 1>(c.data + col, c.stride, c.cols - col, a, b + col, b_stride, depth,
                         accumulate);
}

}  // namespace

template <class Real>
void tileProduct(MatrixView<Real> c, StridedMatrix<Real> a, const Real* b, std::int64_t depth,
                 bool accumulate) {
  const auto from = [&](std::int64_t row) {
    return StridedMatrix<Real>{a.data + row * a.row_stride, a.row_stride, a.col_stride};
  };
  std::int64_t row = 0;
  for (; c.rows - row >= 4; row += 4)
    rowBlock<Real, 4>(c.rowsFrom(row, 4), from(row), b, depth, accumulate);
  for (; row < c.rows; ++row)
    rowBlock<Real, 1>(c.rowsFrom(row, 1), from(row), b, depth, accumulate);
}

template <class Real>
void pack(Real* packed, MatrixView<const Real> x, Real factor) {
  const std::int64_t width = padded<Real>(x.cols);
  for (std::int64_t r = 0; r < x.rows; ++r) {
    Real* out = packed + r * width;
    for (std::int64_t c = 0; c < x.cols; ++c) out[c] = x.at(r, c) * factor;
    std::fill(out + x.cols, out + width, Real(0));
  }
}

template <class Real>
void packTransposed(Real* packed, MatrixView<const Real> x) {
  const std::int64_t width = padded<Real>(x.rows);
  for (std::int64_t c = 0; c < x.cols; ++c) {
    Real* out = packed + c * width;
    for (std::int64_t r = 0; r < x.rows; ++r) out[r] = x.at(r, c);
    std::fill(out + x.rows, out + width, Real(0));
  }
}

template void tileProduct(MatrixView<float>, StridedMatrix<float>, const float*, std::int64_t, bool);
template void tileProduct(MatrixView<double>, StridedMatrix<double>, const double*, std::int64_t, bool);
template void pack(float*, MatrixView<const float>, float);
template void pack(double*, MatrixView<const double>, double);
template void packTransposed(float*, MatrixView<const float>);
template void packTransposed(double*, MatrixView<const double>);

}  // namespace tfm::cpu

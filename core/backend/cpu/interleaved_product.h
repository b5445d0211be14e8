// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "core/backend/cpu/lanes.h"

namespace tfm::cpu {

/// As many matrices of one shape as a register has numbers, side by side: a register holds one
/// element of all of them. Strides count registers.
template <class Real>
struct Interleaved {
  Real* data;
  std::int64_t row_stride;
  std::int64_t col_stride;

  Real* at(std::int64_t row, std::int64_t col) const {
    return data + (row * row_stride + col * col_stride) * kTile<Real>;
  }
  Interleaved transposed() const { return {data, col_stride, row_stride}; }
  Interleaved from(std::int64_t row, std::int64_t col) const {
    return {at(row, col), row_stride, col_stride};
  }
};

/// Matrices of one shape where they lie in memory, one a number of a register: where each begins,
/// and how many of them, from the first on, may be written.
template <class Real>
struct HeadRows {
  std::array<Real*, kTile<std::remove_const_t<Real>>> first;
  std::int64_t stride;
  std::int64_t cols;
  std::int64_t count;
};

/// Element (r, c) of all matrices into register r * cols + c of `to`, for the first `rows` rows.
template <class Real>
void interleave(Real* to, const HeadRows<const Real>& from, std::int64_t rows);
/// The way back.
template <class Real>
void deinterleave(const HeadRows<Real>& to, const Real* from, std::int64_t rows);
/// The way back, added to what is there.
template <class Real>
void addDeinterleaved(const HeadRows<Real>& to, const Real* from, std::int64_t rows);

/// c = a b, or c += a b.   c: rows x cols, a: rows x depth, b: depth x cols
template <class Real>
void interleavedProduct(Interleaved<Real> c, Interleaved<Real> a, Interleaved<Real> b,
                        std::int64_t rows, std::int64_t cols, std::int64_t depth, bool add);

}  // namespace tfm::cpu

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tfm::test {

/// The sizes of a matrix; without rows: it is left out of a call.
struct Size {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
};

/// A matrix of the reference computations: row-major, without gaps, always double.
struct PlainMatrix {
  Size size;
  std::vector<double> values;

  PlainMatrix() = default;
  explicit PlainMatrix(Size s) : size(s), values(std::size_t(s.rows * s.cols), 0.0) {}

  bool absent() const { return size.rows == 0; }
  double& at(std::int64_t r, std::int64_t c) { return values[std::size_t(r * size.cols + c)]; }
  double at(std::int64_t r, std::int64_t c) const { return values[std::size_t(r * size.cols + c)]; }
};

}  // namespace tfm::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <algorithm>
#include <compare>
#include <cstddef>
#include <vector>

namespace tfm::ui {

/// One matrix as the scene shows it. A vector is a matrix with one row or one column: make it a row
/// if it belongs to the columns of the matrix before it, a column if it belongs to the rows.
struct MatrixSlab {
  QString name{};      ///< full and unique, e.g. "encoder.layers.0.self_attention.query.weight"
  QString label{};     ///< what is written under it, e.g. "query"; empty means the name
  QString group{};     ///< neighbours with the same group stand together under this caption
  int layer = 0;       ///< a new layer starts a new row of the scene, further to the front
  bool alone = false;  ///< a vector that is no bias of the matrix before it
  int rows = 0;
  int cols = 0;
  QString row_axis{};  ///< what a row is, e.g. "hidden"
  QString col_axis{};
  int row_stripe = 0;           ///< rows that belong to one head; 0: there are no heads
  int col_stripe = 0;           ///< the same of columns
  std::vector<float> values{};  ///< rows x cols, row-major

  bool isVector() const { return rows == 1 || cols == 1; }
  float value(int row, int col) const {
    return values[static_cast<std::size_t>(row) * static_cast<std::size_t>(cols) +
                  static_cast<std::size_t>(col)];
  }
};

inline bool sameShapes(const std::vector<MatrixSlab>& a, const std::vector<MatrixSlab>& b) {
  return std::ranges::equal(a, b, [](const MatrixSlab& x, const MatrixSlab& y) {
    return x.name == y.name && x.rows == y.rows && x.cols == y.cols;
  });
}

/// A block of a slab that has a name: its first rows and columns.
struct SlabFrame {
  int slab = 0;
  int rows = 0;
  int cols = 0;
  QString name{};
  bool operator==(const SlabFrame&) const = default;
};

/// One number of the scene.
struct CellRef {
  int slab = 0;
  int row = 0;
  int col = 0;
  auto operator<=>(const CellRef&) const = default;
};

}  // namespace tfm::ui

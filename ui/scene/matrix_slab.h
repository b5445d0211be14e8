// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <algorithm>
#include <compare>
#include <cstddef>
#include <vector>

#include "core/program/parameter_layout.h"
#include "core/tensor/shared_numbers.h"

namespace tfm::ui {

/// One matrix in the scene. A vector is a matrix with one row or one column: a row if it belongs to
/// the columns of the matrix before it, a column if it belongs to the rows.
struct MatrixSlab {
  QString name{};      ///< full and unique, e.g. "encoder.layers.0.self_attention.query.weight"
  QString label{};     ///< the text below it, e.g. "query"; empty: the name
  QString group{};     ///< adjacent slabs of a block share this caption
  Site site{};         ///< of the block
  bool alone = false;  ///< a vector that is not a bias of the matrix before it
  int rows = 0;
  int cols = 0;
  QString row_axis{};  ///< what a row is, e.g. "hidden"
  QString col_axis{};
  std::vector<QString> row_names{};  ///< tokens; empty: the rows have none
  int row_stripe = 0;                ///< rows per head; 0: no heads
  int col_stripe = 0;                ///< the same for columns
  /// Of a grouped map, the number of blocks of rows, each with its own columns, on the diagonal
  /// of a matrix of rows x fullCols(); the rest of that matrix is not stored.
  int groups = 1;
  SharedNumbers values{};  ///< rows x cols, row-major

  int fullCols() const { return cols * groups; }
  /// The column of the full matrix in which a row begins.
  int firstCol(int row) const { return row / (rows / groups) * cols; }
  /// " “e”"; empty if the row has no name.
  QString rowName(int row) const {
    return row < int(row_names.size())
               ? QStringLiteral(" \u201c%1\u201d").arg(row_names[std::size_t(row)])
               : QString();
  }
  bool isVector() const { return rows == 1 || fullCols() == 1; }
  float value(int row, int col) const {
    return values[std::size_t(row) * std::size_t(cols) + std::size_t(col)];
  }
};

inline bool sameShapes(const std::vector<MatrixSlab>& a, const std::vector<MatrixSlab>& b) {
  return std::ranges::equal(a, b, [](const MatrixSlab& x, const MatrixSlab& y) {
    return x.name == y.name && x.rows == y.rows && x.cols == y.cols && x.groups == y.groups;
  });
}

/// A named block of a slab, usually its first rows and columns.
struct SlabFrame {
  int slab = 0;
  int rows = 0;
  int cols = 0;
  QString name{};
  int row = 0, col = 0;  ///< the first
  bool operator==(const SlabFrame&) const = default;
};

/// One cell of the scene.
struct CellRef {
  int slab = 0;
  int row = 0;
  int col = 0;
  auto operator<=>(const CellRef&) const = default;
};

}  // namespace tfm::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/expand/grown_matrix.h"
#include "ui/scene/matrix_slab.h"

namespace tfm::ui {

/// Adjacent indices along one side of a grown slab that come from adjacent old ones, or are all
/// new, with the same mark.
struct GrowthSpan {
  int at = 0;  ///< first index after
  int count = 0;
  int source = -1;  ///< first index before; -1: new

  bool isNew() const { return source < 0; }
};

/// How one slab of the wall grows, in rows and columns of the slab: for a bias shown as a column,
/// the rows are the vector's columns.
class GrowingSlab {
 public:
  /// `growth` has the shape of `after`, or its transpose if `after` is a column.
  GrowingSlab(expand::ParameterGrowth growth, const MatrixSlab& after, int before);

  /// The slab that grows, by its index before; -1 for a new one.
  int before() const { return before_; }
  const std::vector<GrowthSpan>& rows() const { return rows_; }
  const std::vector<GrowthSpan>& cols() const { return cols_; }
  expand::Entry entry(int row, int col) const;
  /// The mark of all cells of a block.
  expand::Entry entry(const GrowthSpan& row, const GrowthSpan& col) const {
    return entry(row.at, col.at);
  }
  /// What an old entry is multiplied by.
  double scale(int row, int col) const;
  /// Whether the shape changes.
  bool grows() const { return growth_.grows(); }
  /// Whether the values of old entries change.
  bool changesOldValues() const;

  /// The values of the grown slab with its old entries unchanged.
  std::vector<float> valuesBefore(const MatrixSlab& before, const MatrixSlab& after) const;

 private:
  expand::ParameterGrowth growth_;
  bool turned_;
  int before_;
  std::vector<GrowthSpan> rows_, cols_;
};

/// One for each slab of `after`, in order; sets the slabs' values from the growth. Throws
/// std::logic_error if a growth is missing or its shape does not match.
std::vector<GrowingSlab> matchGrowth(std::span<const MatrixSlab> before,
                                     std::span<MatrixSlab> after,
                                     std::span<const expand::GrownMatrix> growth);

}  // namespace tfm::ui

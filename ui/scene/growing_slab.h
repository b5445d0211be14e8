// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstddef>
#include <span>
#include <vector>

#include "core/expand/grown_matrix.h"
#include "ui/scene/matrix_slab.h"

namespace tfm::ui {

/// Neighbours along one side of a grown slab that come from neighbours before, or are all new, and
/// need the same mark.
struct GrowthSpan {
  int at = 0;  ///< first index after
  int count = 0;
  int source = -1;  ///< first index before; -1: new

  bool isNew() const { return source < 0; }
};

/// How one slab of the wall grows, in the rows and columns of the slab: a bias that stands as a
/// column has the rows that its vector has columns.
class GrowingSlab {
 public:
  /// `growth` has the shape of `after`, or that of `after` lying if that is a column.
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
  /// Whether old entries are other numbers afterwards.
  bool changesOldValues() const;

  /// The numbers of the grown slab while the old ones are as they were before.
  std::vector<float> valuesBefore(const MatrixSlab& before, const MatrixSlab& after) const;

 private:
  expand::ParameterGrowth growth_;
  bool turned_;
  int before_;
  std::vector<GrowthSpan> rows_, cols_;
};

/// One for each slab of `after`, in its order; they take their values from the growth. Throws
/// std::logic_error if a growth is missing or has another shape than its slab.
std::vector<GrowingSlab> matchGrowth(std::span<const MatrixSlab> before,
                                     std::span<MatrixSlab> after,
                                     std::span<const expand::GrownMatrix> growth);

}  // namespace tfm::ui

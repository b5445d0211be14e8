// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/expand/grown_matrix.h"
#include "ui/figure/figure.h"
#include "ui/growth/parameter_caption.h"

namespace tfm::ui {

/// One axis of a grown matrix, prepared for drawing.
struct GrownAxis {
  enum class Border : std::uint8_t { None, Weak, Strong };

  QString name;           ///< e.g. "heads × key"; empty for the one column of a vector
  int before = 0;         ///< indices before; 0 for a new parameter
  int after = 0;          ///< indices after
  int stripe_before = 0;  ///< indices per head; 0 if the axis has a single factor
  int stripe_after = 0;
  std::vector<int> source;           ///< for each index after: the one before, or -1
  std::vector<std::uint8_t> is_new;  ///< 1 if no index before moves here: new, or another copy
  std::vector<Border> borders;       ///< in front of each index after: of heads, and of new indices
  int weak_borders = 0, strong_borders = 0;
};

/// A block of adjacent cells of one kind, in rows and columns after growth.
struct CellBlock {
  int row, col, rows, cols;
  expand::Entry entry;
};

/// One parameter before and after an expansion, prepared for drawing. A vector is a column, as in
/// all pictures of a model: its numbers belong to the rows of the matrix beside it. Implicitly
/// shared.
class GrownCells {
  Q_DECLARE_TR_FUNCTIONS(GrownCells)

 public:
  GrownCells();
  /// Throws (contract) unless the numbers fit the shapes.
  explicit GrownCells(expand::GrownMatrix matrix);
  /// `unpaired`: part of a difference in which cells without a partner are NaN.
  explicit GrownCells(std::shared_ptr<const expand::GrownMatrix> matrix, bool unpaired = false);

  bool isEmpty() const { return rows() == 0; }
  /// The parameter's full name, as in files.
  QString name() const;
  const ParameterTag& tag() const { return data_->matrix->growth.after.tag; }
  /// A readable name.
  ParameterCaption caption() const { return captionOf(tag()); }
  int rows() const { return data_->rows.after; }  ///< after
  int cols() const { return data_->cols.after; }  ///< after
  const GrownAxis& rowAxis() const { return data_->rows; }
  const GrownAxis& colAxis() const { return data_->cols; }
  bool isVector() const { return data_->matrix->growth.after.shape.size() == 1; }
  /// Whether the shape or a value changes.
  bool changes() const { return data_->changes; }

  expand::Entry entry(int row, int col) const;
  float after(int row, int col) const { return afterRow(row)[std::size_t(col)]; }
  /// The cell's old value; none for a new cell.
  std::optional<float> before(int row, int col) const;
  /// The values of a whole row.
  std::span<const float> afterRow(int row) const;
  /// The old values of the row, by old columns; empty for a new row.
  std::span<const float> beforeRow(int row) const;
  /// Whether an entry that must be zero is not: the growth is broken here.
  bool violates(int row, int col) const;
  /// Whether there is such an entry in a block, or at all.
  bool violates(const CellBlock& block) const;
  bool isBroken() const;
  /// Whether old entries that must be rescaled are not: the growth is broken in all of them.
  bool lacksFactor() const { return data_->lacks_factor; }
  /// Whether a cell of a difference has no counterpart in the other moment.
  bool isUnpaired(int row, int col) const;
  /// Whether there may be such cells.
  bool hasUnpaired() const { return data_->unpaired; }
  /// All cells as a minimal number of rectangles.
  const std::vector<CellBlock>& blocks() const { return data_->blocks; }
  /// The 99th percentile of the absolute values before and after, greater than 0.
  double limit() const { return commonLimit({this}); }
  /// The same for several matrices together, without zeros; a few large values do not make the
  /// others pale.
  static double commonLimit(const std::vector<const GrownCells*>& cells);

  /// "8 × 5 → 8 × 9", or one shape if it does not change.
  QString shapeText() const;
  /// "40 → 72", or one number.
  QString countText() const;
  /// The factors of old entries: "× 1.2247", "× 0.3333 … 0.6667"; empty if there are none.
  QString factorText() const;
  /// The least and the largest of these factors.
  std::pair<double, double> factors() const { return {data_->least_factor, data_->largest_factor}; }
  /// Describes a cell: name and place, value before and after, what it is and why.
  QString describe(int row, int col) const;
  /// One row for each cell: row, column, kind, factor, value before and after.
  DataTable table() const;

 private:
  /// The factor of an old cell.
  double factor(int row, int col) const;

  struct Data {
    std::shared_ptr<const expand::GrownMatrix> matrix =
        std::make_shared<const expand::GrownMatrix>();
    GrownAxis rows, cols;
    std::vector<int> row_run, col_run;   // of each index
    std::vector<expand::Entry> entries;  // for each pair of row run and column run
    std::size_t col_runs = 0;
    std::vector<CellBlock> blocks;
    double least_factor = 1.0, largest_factor = 1.0;
    bool changes = false;
    bool unpaired = false;
    bool lacks_factor = false;
  };
  std::shared_ptr<const Data> data_;
};

}  // namespace tfm::ui

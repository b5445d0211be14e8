// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <span>
#include <vector>

#include "ui/figure/figure.h"
#include "ui/heatmap/color_scale.h"

namespace tfm::ui {

/// A matrix with everything needed to show and explain it. Rows look at columns.
struct HeatMap {
  Q_DECLARE_TR_FUNCTIONS(HeatMap)

 public:
  int rows = 0;
  int cols = 0;
  int most_rows = 0, most_cols = 0;  ///< room is left for so many, so that a longer map fits alike
  std::vector<float> values;         ///< row-major, rows * cols
  std::vector<std::uint8_t> masked;  ///< empty, or rows * cols with 1 where there is no value
  QStringList row_labels;            ///< empty, or one per row
  QStringList col_labels;            ///< empty, or one per column
  QString row_title;                 ///< e.g. "writes (decoder)"
  QString col_title;                 ///< e.g. "reads (encoder)"
  QString name;                      ///< e.g. "layer 1, head 4"
  ColorScale scale;

  /// Throws (contract) unless the lengths fit `rows` and `cols`.
  void verify() const;

  float value(int row, int col) const { return values[index(row, col)]; }
  bool isMasked(int row, int col) const { return !masked.empty() && masked[index(row, col)]; }
  bool hasMasked() const;

  /// The cell's number for the screen, or "masked".
  QString valueText(int row, int col) const;
  /// The place of the cell: "from 'c' to 'a'", or "row 2, column 0" without labels.
  QString placeText(int row, int col) const;
  /// The cell in one sentence: "layer 1, head 4, from 'c' to 'a', 0.41".
  QString cellText(int row, int col) const;

  /// All cells with full precision, one per table row; masked cells have no value.
  DataTable table() const;

 private:
  std::size_t index(int row, int col) const { return std::size_t(row) * std::size_t(cols) + col; }
};

/// The smallest and largest unmasked value; {NaN, NaN} if there is none.
struct ValueRange {
  float smallest, largest;
};
ValueRange valueRange(std::span<const float> values, std::span<const std::uint8_t> masked);

/// The niceLimit() of the map's largest magnitude.
double niceLimit(const HeatMap& map);

}  // namespace tfm::ui

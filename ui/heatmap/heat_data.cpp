// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/heat_data.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/check.h"

namespace tfm::ui {

void HeatMap::verify() const {
  check(rows >= 0 && cols >= 0, "the size of a map is not negative");
  const std::size_t cells = std::size_t(rows) * std::size_t(cols);
  check(values.size() == cells, "a map has one value per cell");
  check(masked.empty() || masked.size() == cells, "a map's mask has one flag per cell");
  check(row_labels.isEmpty() || row_labels.size() == rows, "a map has one label per row");
  check(col_labels.isEmpty() || col_labels.size() == cols, "a map has one label per column");
}

bool HeatMap::hasMasked() const {
  return std::any_of(masked.begin(), masked.end(), [](std::uint8_t flag) { return flag != 0; });
}

QString HeatMap::valueText(int row, int col) const {
  return isMasked(row, col) ? tr("masked") : scale.numberWithSign(value(row, col));
}

QString HeatMap::placeText(int row, int col) const {
  if (row_labels.isEmpty() || col_labels.isEmpty())
    return tr("row %1, column %2").arg(row + 1).arg(col + 1);
  return tr("from '%1' to '%2'").arg(row_labels[row], col_labels[col]);
}

QString HeatMap::cellText(int row, int col) const {
  const QString place = placeText(row, col);
  const QString value = valueText(row, col);
  return name.isEmpty() ? tr("%1, %2").arg(place, value) : tr("%1, %2, %3").arg(name, place, value);
}

DataTable HeatMap::table() const {
  DataTable table{{"row", "column", "row_label", "column_label", "value", "masked"}, {}};
  table.rows.reserve(values.size());
  for (int row = 0; row < rows; ++row) {
    for (int col = 0; col < cols; ++col) {
      const bool hidden = isMasked(row, col);
      table.rows.push_back(
          {QString::number(row), QString::number(col), row_labels.value(row), col_labels.value(col),
           hidden ? QString() : fullPrecision(value(row, col)), QString::number(hidden ? 1 : 0)});
    }
  }
  return table;
}

ValueRange valueRange(std::span<const float> values, std::span<const std::uint8_t> masked) {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  ValueRange range{kNone, kNone};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if ((!masked.empty() && masked[i]) || std::isnan(values[i])) continue;
    // The first number replaces NaN, since every comparison with NaN is false.
    if (!(range.smallest <= values[i])) range.smallest = values[i];
    if (!(range.largest >= values[i])) range.largest = values[i];
  }
  return range;
}

double niceLimit(const HeatMap& map) {
  const ValueRange range = valueRange(map.values, map.masked);
  return niceLimit(double(std::max(std::abs(range.smallest), std::abs(range.largest))));
}

}  // namespace tfm::ui

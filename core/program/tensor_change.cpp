// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/tensor_change.h"

#include <algorithm>

namespace tfm {
namespace {

/// How a change treats one number of its part.
struct Change {
  bool changes = false;
  double added = 0.0;
};

/// `row`, `col`: in the sequence or head.
Change changeAt(const TensorChange& c, std::int64_t row, std::int64_t col) {
  if ((c.row >= 0 && row != c.row) || col < c.col || (c.cols >= 0 && col >= c.col + c.cols))
    return {};
  const std::int64_t r = c.added_rows == 0 ? 0 : row - std::max<std::int64_t>(0, c.row);
  const std::int64_t j = c.added_cols == 0 ? 0 : col - c.col;
  if (c.added.empty()) return {true};
  if (r >= std::max<std::int64_t>(1, c.added_rows) || j >= std::max<std::int64_t>(1, c.added_cols))
    return {};
  return {true, c.added[std::size_t(r * std::max<std::int64_t>(1, c.added_cols) + j)]};
}

}  // namespace

RowChanges rowChanges(std::span<const TensorChange> changes, const std::string& tensor,
                      std::int64_t rows, std::int64_t cols, std::int64_t sequences) {
  // What has no rows for each sequence is one for all.
  const std::int64_t length = sequences > 0 && rows % sequences == 0 ? rows / sequences : rows;
  RowChanges result;
  for (const TensorChange& c : changes) {
    if (c.tensor != tensor || c.row >= length) continue;
    const bool alike = c.row < 0 && c.added_rows == 0;
    result.rows = std::max({result.rows, std::int64_t{1},
                            c.sequence >= 0 ? rows
                            : alike         ? 0
                                            : length});
  }
  result.factor.assign(std::size_t(result.rows * cols), 1.0);
  result.added.assign(result.factor.size(), 0.0);
  for (const TensorChange& c : changes) {
    if (c.tensor != tensor) continue;
    for (std::int64_t row = 0; row < result.rows; ++row) {
      if (c.sequence >= 0 && row / length != c.sequence) continue;
      for (std::int64_t col = 0; col < cols; ++col) {
        const Change change = changeAt(c, row % length, col);
        if (!change.changes) continue;
        const auto at = std::size_t(row * cols + col);
        result.factor[at] *= c.factor;
        result.added[at] = c.factor * result.added[at] + change.added;
      }
    }
  }
  return result;
}

std::vector<CellChange> cellChanges(std::span<const TensorChange> changes,
                                    const std::string& tensor, const AttentionShape& s) {
  std::vector<CellChange> cells;
  for (const TensorChange& c : changes) {
    if (c.tensor != tensor) continue;
    for (std::int64_t map = 0; map < s.batch * s.heads; ++map) {
      if ((c.sequence >= 0 && map / s.heads != c.sequence) ||
          (c.head >= 0 && map % s.heads != c.head))
        continue;
      for (std::int64_t query = 0; query < s.queries; ++query)
        for (std::int64_t key = s.firstSeen(query); key < s.endSeen(query); ++key)
          if (const Change change = changeAt(c, query, key); change.changes)
            cells.push_back({map * s.queries + query, key, c.factor, change.added});
    }
  }
  std::ranges::stable_sort(cells, {}, &CellChange::row);
  return cells;
}

}  // namespace tfm

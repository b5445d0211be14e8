// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/expand/grown_matrix.h"
#include "tests/ui/scene/sample_slabs.h"

namespace tfm::test {

/// Old indices in blocks of `block`, each followed by `added` new ones of `kind`.
inline expand::AxisMap widened(int count, int block, int added, Added kind, double share = 1.0) {
  expand::AxisMap map;
  for (int i = 0; i < count; ++i) {
    map.push_back({.source = i, .share = share});
    if ((i + 1) % block == 0)
      for (int k = 0; k < added; ++k) map.push_back({.added = kind});
  }
  return map;
}

inline expand::AxisMap unchanged(int count) { return widened(count, count + 1, 0, Added::Free); }

/// A grown matrix: old values times their scale; new ones `fresh`, or 0 if required.
inline expand::GrownMatrix grown(const MatrixSlab& before, expand::AxisMap rows,
                                 expand::AxisMap cols, float fresh, double factor = 1.0) {
  const auto info = [&](std::size_t r, std::size_t c) {
    return ParameterInfo{.name = before.name.toStdString(),
                         .shape = {Dimension{{Axis::Hidden, std::int64_t(r)}},
                                   Dimension{{Axis::Hidden, std::int64_t(c)}}},
                         .initial = {},
                         .tag = {}};
  };
  expand::GrownMatrix matrix;
  std::vector<float> after;
  matrix.growth.after = info(rows.size(), cols.size());
  matrix.growth.before = info(std::size_t(before.rows), std::size_t(before.cols));
  matrix.growth.rows = std::move(rows);
  matrix.growth.cols = std::move(cols);
  matrix.growth.factor = factor;
  matrix.before = before.values;
  for (std::size_t r = 0; r < matrix.growth.rows.size(); ++r) {
    for (std::size_t c = 0; c < matrix.growth.cols.size(); ++c) {
      const auto row = int(matrix.growth.rows[r].source), col = int(matrix.growth.cols[c].source);
      float value = matrix.growth.entry(int(r), int(c)) == expand::Entry::Free ? fresh : 0.f;
      if (row >= 0 && col >= 0)
        value = before.value(row, col) * float(matrix.growth.scale(int(r), int(c)));
      after.push_back(value);
    }
  }
  matrix.after = std::move(after);
  return matrix;
}

/// The slab of a grown matrix.
inline MatrixSlab slabAfter(const MatrixSlab& before, const expand::GrownMatrix& matrix) {
  MatrixSlab slab = before;
  slab.rows = int(matrix.growth.rows.size());
  slab.cols = int(matrix.growth.cols.size());
  slab.values = matrix.after;
  return slab;
}

}  // namespace tfm::test

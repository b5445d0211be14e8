// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expand/entries.h"

#include <algorithm>

namespace tfm::expand {

std::string_view entryName(Entry entry) {
  static constexpr std::string_view kNames[] = {"copied", "rescaled", "adjusted", "zero",
                                                "free",   "mean",     "padding"};
  return kNames[int(entry)];
}

std::vector<IndexRun> runsOf(const AxisMap& map) {
  const auto alike = [](const AxisIndex& a, const AxisIndex& b) {
    const bool same_source = a.source == b.source || (a.source >= 0 && b.source >= 0);
    return same_source && a.share == b.share && a.added == b.added && a.padding == b.padding &&
           a.born == b.born;
  };
  std::vector<IndexRun> runs;
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (i > 0 && alike(map[i - 1], map[i]))
      ++runs.back().count;
    else
      runs.push_back({std::int64_t(i), 1});
  }
  return runs;
}

bool ParameterGrowth::grows() const {
  const auto is_new = [](const AxisIndex& index) { return index.source == AxisIndex::kNew; };
  return !before || before->rows() != after.rows() || before->cols() != after.cols() ||
         std::ranges::any_of(rows, is_new) || std::ranges::any_of(cols, is_new);
}

double ParameterGrowth::scale(std::int64_t row, std::int64_t col) const {
  return factor * rows[std::size_t(row)].share * cols[std::size_t(col)].share;
}

Entry ParameterGrowth::entry(std::int64_t row, std::int64_t col) const {
  const AxisIndex& r = rows[std::size_t(row)];
  const AxisIndex& c = cols[std::size_t(col)];
  const bool new_row = r.source == AxisIndex::kNew;
  const bool new_col = c.source == AxisIndex::kNew;
  if (new_row || new_col) {
    // The axis added last decides; of axes added together, zero wins.
    const bool row_decides = new_row && (!new_col || r.born >= c.born);
    const bool col_decides = new_col && (!new_row || c.born >= r.born);
    if (r.padding || c.padding) return Entry::Padding;
    if (reset && row_decides && col_decides) return Entry::Adjusted;
    const bool zero =
        (row_decides && r.added == Added::Zero) || (col_decides && c.added == Added::Zero);
    return zero ? Entry::Zero : Entry::Free;
  }
  if (r.source == AxisIndex::kMean || c.source == AxisIndex::kMean) return Entry::Derived;
  if (centred_rows || centred_cols || reset) return Entry::Adjusted;
  return scale(row, col) == 1.0 ? Entry::Copied : Entry::Scaled;
}

}  // namespace tfm::expand

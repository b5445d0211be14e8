// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/expand/entries.h"
#include "core/expand/progress.h"
#include "core/tensor/aligned_vector.h"

namespace tfm::expand {

/// Numbers between two reports of progress: less than 10 ms of work.
inline constexpr std::int64_t kProgressStep = 1 << 16;

/// The entries of a grown parameter in one run of rows and one run of columns.
struct Block {
  IndexRun rows, cols;
  Entry entry;
};

template <class Do>
void forEachBlock(const ParameterGrowth& p, const Do& visit) {
  const std::vector<IndexRun> cols = runsOf(p.cols);
  for (const IndexRun& row : runsOf(p.rows))
    for (const IndexRun& col : cols) visit(Block{row, col, p.entry(row.first, col.first)});
}

/// Calls visit(row, index of the row's first entry in the arena) for each row of a block and
/// reports progress.
template <class Do>
void forEachRow(const ParameterGrowth& p, const Block& block, Work& work, const Do& visit) {
  std::int64_t unreported = 0;
  for (std::int64_t r = block.rows.first; r < block.rows.first + block.rows.count; ++r) {
    visit(r, std::size_t(p.after.offset + r * p.after.cols() + block.cols.first));
    unreported += block.cols.count;
    if (unreported >= kProgressStep) work.advance(std::exchange(unreported, 0));
  }
  work.advance(unreported);
}

/// Sets the entries of a block in `arena` to cell(row, col).
template <class Value, class Cell>
void fill(AlignedVector<Value>& arena, const ParameterGrowth& p, const Block& block, Work& work,
          const Cell& cell) {
  forEachRow(p, block, work, [&](std::int64_t r, std::size_t place) {
    Value* to = &arena[place];
    for (std::int64_t c = 0; c < block.cols.count; ++c) to[c] = cell(r, block.cols.first + c);
  });
}

/// Sets all entries of a block in `arena` to one value.
template <class Value>
void fillWith(AlignedVector<Value>& arena, const ParameterGrowth& p, const Block& block, Work& work,
              Value value) {
  fill(arena, p, block, work, [value](std::int64_t, std::int64_t) { return value; });
}

/// Whether the parameter is unchanged.
inline bool isCopy(const ParameterGrowth& p) {
  return p.before && !p.grows() && p.factor == 1.0 && !p.centred_rows && !p.centred_cols &&
         !p.reset && p.given.empty();
}

template <class Value>
void copyPart(const ParameterGrowth& p, std::span<const Value> before, AlignedVector<Value>& after,
              Work& work) {
  const auto part = before.subspan(std::size_t(p.before->offset), std::size_t(p.after.size()));
  std::copy(part.begin(), part.end(), after.begin() + p.after.offset);
  work.advance(p.after.size());
}

}  // namespace tfm::expand

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/backend/op_arguments.h"

namespace tfm {

/// A change of what a program computes: in a part of a tensor, the numbers x become
/// factor * x + added before any later step reads them. A ProgramBuilder that is given changes
/// keeps the tensor's name for the changed numbers and calls the others "NAME (before)", so
/// gradients, explanations and every backend handle changed programs like any others. Changes of
/// one tensor apply in order. Programs whose steps do not output the tensor, and sequences without
/// the position, are not changed.
struct TensorChange {
  std::string tensor;
  std::int64_t sequence = -1;  ///< of the batch; -1: all
  std::int64_t head = -1;      ///< of an attention map, otherwise -1; -1: all
  std::int64_t row = -1;       ///< position in its sequence, or query; -1: all
  std::int64_t col = 0;        ///< the first one, or key
  std::int64_t cols = -1;      ///< number of columns; -1: up to the last
  double factor = 0.0;         ///< 0: x does not matter, even if it is not finite
  /// added_rows x added_cols, from `row` and `col` on; rows and columns behind them are not
  /// changed. Empty: 0.
  std::vector<double> added = {};
  std::int64_t added_rows = 0;  ///< 0: the same for all rows
  std::int64_t added_cols = 0;  ///< 0: the same for all columns
  bool operator==(const TensorChange&) const = default;
};

/// The combined effect of changes on a tensor: y = factor * x + added, row by row.
struct RowChanges {
  std::int64_t rows = 0;  ///< 1: all rows alike; those of a sequence: all sequences alike; or all
  std::vector<double> factor, added;  ///< rows x columns of the tensor; empty: nothing changes
};
/// The changes of `tensor`, which has `rows` x `cols` numbers, for `sequences` sequences.
RowChanges rowChanges(std::span<const TensorChange> changes, const std::string& tensor,
                      std::int64_t rows, std::int64_t cols, std::int64_t sequences);

/// The changes of the attention map `tensor`, by ascending row. Cells that the causal mask hides
/// stay 0.
std::vector<CellChange> cellChanges(std::span<const TensorChange> changes,
                                    const std::string& tensor, const AttentionShape& shape);

}  // namespace tfm

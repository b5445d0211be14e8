// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tfm {

/// A change of what a program computes: in a part of a tensor, the numbers x become
/// factor * x + added before any later step reads them. A ProgramBuilder that is given changes
/// keeps the tensor's name for the changed numbers and calls the others "NAME (before)", so
/// gradients, explanations and every backend know changed programs like any other. Changes of one
/// tensor apply in order. Programs without the tensor, and sequences without the position, are not
/// changed.
struct TensorChange {
  std::string tensor;
  std::int64_t sequence = -1;  ///< of the batch; -1: all
  std::int64_t head = -1;      ///< of an attention map, otherwise -1; -1: all
  std::int64_t row = -1;       ///< position in its sequence, or query; -1: all
  std::int64_t col = 0;        ///< the first one, or key
  std::int64_t cols = -1;      ///< so many from there; -1: all that follow
  double factor = 0.0;         ///< 0: x does not matter, even if it is not finite
  /// Empty: 0. One number, one for each column, or one for each column of each row from `row` on
  /// (of a map: of each query of each head); rows and columns beyond them are not changed.
  std::vector<double> added;
  std::int64_t added_cols = 1;  ///< columns of `added`; it has one row or more
  bool operator==(const TensorChange&) const = default;
};

}  // namespace tfm

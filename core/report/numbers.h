// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"

namespace tfm::report {

/// Where the numbers of a figure come from, so that they can be computed anew from its document.
struct Source {
  std::string kind;  ///< a row of sourceKinds(); empty: unknown
  std::string of;    ///< what it says there
  /// Where a reader of the numbers begins: "NAME" of a block, or "NAME[HEAD]"; empty: the first.
  std::string shown = {};
  /// A decoder reads the right answer, in place of the model's own.
  bool right_answer = false;
  bool operator==(const Source&) const = default;
};

/// Numbers with a name: a matrix, the maps of several heads, a curve, the terms of a number.
struct Block {
  std::string name;
  std::vector<std::int64_t> shape;      ///< (rows, columns) or (heads, rows, columns)
  std::vector<double> values;           ///< row-major; NaN: none
  std::vector<std::string> rows, cols;  ///< labels; empty: counted from 1
  bool operator==(const Block&) const = default;
};

/// A way to compute the numbers of figures.
struct SourceKind {
  std::string_view name;
  std::string_view of;  ///< the meaning of Source::of
  /// The numbers were measured while the model learned: they are compared with the document's
  /// history, and not computed anew.
  bool recorded;
  std::vector<Block> (*numbers)(const train::Document& document, const Source& source);
};
std::span<const SourceKind> sourceKinds();
/// Null for an unknown one.
const SourceKind* kindOf(const Source& source);

/// The numbers of a figure of the document; none for an unknown kind. Throws Error for a source
/// that the document does not have.
std::vector<Block> numbersOf(const train::Document& document, const Source& source);

/// How much the numbers of a figure differ at most, as a share of the largest number of their
/// block; infinity where blocks or their names and shapes differ.
double differenceOf(std::span<const Block> kept, std::span<const Block> computed);
/// The largest difference of numbers that agree: other processors round differently, and errors add
/// up over the layers.
inline constexpr double kAgree = 1e-4;

}  // namespace tfm::report

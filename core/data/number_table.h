// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/reading_note.h"
#include "core/io/named_tensor.h"

namespace tfm::data {

class Tokenizer;
struct DrawnFeatures;

/// Sequences of rows of numbers, all of the same length, and the numbers to answer each with.
struct NumberTable {
  std::int64_t sequences = 0;
  std::int64_t positions = 0;        ///< of each sequence
  std::int64_t input_width = 0;      ///< numbers at a position
  std::int64_t target_width = 0;     ///< numbers of an answer
  bool one_target = false;           ///< one answer for a whole sequence, not one per position
  std::vector<double> inputs = {};   ///< sequences x positions x input_width
  std::vector<double> targets = {};  ///< sequences x (1 or positions) x target_width

  /// Answers of a sequence.
  std::int64_t answers() const { return one_target ? 1 : positions; }
  bool operator==(const NumberTable&) const = default;
};

/// Parses a table (see io::readTable()) with a header: columns x1, x2, ... are inputs, y1, y2, ...
/// targets, in any order; x alone is x1. Consecutive rows with the same value in a column
/// `sequence` are the positions of one sequence; without it, each row is one. Where a sequence has
/// one answer, it is in its first row, and its other rows have no targets. Where commas do not
/// separate the columns, they are decimal marks. Throws Error naming the line and what was
/// expected: columns that are missing or there twice, numbers that are not finite as floats, commas
/// that may be either decimal marks or between thousands.
///
/// ReadingRules::Kept: a CSV with commas, whose columns are taken in their order, whatever their
/// numbers.
NumberTable parseNumberTable(std::string_view text, const std::string& where,
                             bool needs_targets = true, ReadingRules rules = ReadingRules::Present);

/// Whether a text begins with a header of such a table.
bool isNumberTable(std::string_view text);

/// How many digits a written number has: as many as the float that it is needs, or the double.
enum class NumberDigits { Float, Double };

/// The table as parseNumberTable() reads it, by either rules. Numbers read back the same.
std::string numberTableText(const NumberTable& table, NumberDigits digits = NumberDigits::Float);

/// Of the arrays `inputs`, sequences x positions x width or sequences x width, and `targets`, the
/// same with another width, or sequences x width: one answer for each sequence. Throws Error.
NumberTable numberTableOf(const io::NamedTensors& arrays, const std::string& where,
                          bool needs_targets = true);

/// Names for the rows of inputs, as a text has them: r1, r2, ...
std::unique_ptr<Tokenizer> rowTokens(const NumberTable& table);
/// The id of r1; those below it are special.
inline constexpr std::int32_t kFirstRow = 2;
/// The row of each of these tokens; those of special ones are 0.
DrawnFeatures rowsOf(const NumberTable& table);

/// Rows of numbers for display: "0.5 -1.25; 2 3".
std::string numberRowsText(std::span<const double> numbers, std::int64_t width);

}  // namespace tfm::data

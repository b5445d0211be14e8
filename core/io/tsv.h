// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/io/csv_rows.h"

namespace tfm::io {

/// One line of a two-column file, e.g. a sentence and its translation, or a label and a sentence.
struct TextPair {
  std::string first;
  std::string second;
  std::size_t line = 0;  ///< from 1, empty lines counted
  bool operator==(const TextPair&) const = default;
};

/// What to do with columns after the second, e.g. the attributions in Tatoeba's sentence lists.
enum class ExtraColumns { Refuse, Ignore };

/// Parses tab-separated text with two columns, without quoting or comments. Lines end with LF or
/// CRLF; empty lines are skipped. Throws Error naming the line for a wrong number of columns or an
/// empty field, and if there is no row. `where` names the text in messages.
std::vector<TextPair> parseTsv(std::string_view text, const std::string& where,
                               ExtraColumns extra = ExtraColumns::Refuse);

/// The cells of the lines that are not empty, however many each has.
std::vector<CsvRow> tabRows(std::string_view text);

/// The Error for a line with another number of columns than two.
Error notTwoColumns(std::size_t columns, const std::string& where);

}  // namespace tfm::io

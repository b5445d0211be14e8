// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/io/csv_rows.h"

namespace tfm::io {

/// A table as people and their programs write it.
struct TextTable {
  char separator = '\t';
  std::vector<CsvRow> rows;  ///< with tabs: of any number of cells each

  /// Whether a comma in a number is its decimal mark, as where columns are not separated by it.
  bool hasDecimalCommas() const { return separator != ','; }
};

/// Parses a table. A first line sep=X, as Excel has it, names the separator. Else a tab in the
/// first line that is not empty means tabs, without quoting; otherwise the table is a CSV (see
/// parseCsv(); blanks around cells are dropped) of commas or semicolons, whichever the first line
/// has. Throws Error where it has both and the rows fit neither or both, for texts that are no
/// tables (foreignTable()), and the errors of parseCsv().
TextTable readTable(std::string_view text, const std::string& where);

/// The first line that is not empty, after one that names the separator, as readTable() reads it:
/// with that line before it.
std::string_view tableHeader(std::string_view text);

/// The text without white space at its ends: blanks, line ends and no-break spaces.
std::string_view withoutWhiteSpace(std::string_view text);

}  // namespace tfm::io

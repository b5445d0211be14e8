// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tfm::io {

/// One record of a CSV table.
struct CsvRow {
  std::size_t line = 0;  ///< where the record begins, from 1
  std::vector<std::string> cells;
};

/// How the cells of a CSV are written.
struct CsvFormat {
  char separator = ',';
  bool trims = false;          ///< blanks around a cell, outside its quotes, are not part of it
  std::size_t first_line = 1;  ///< the number of the text's first line
};

/// Parses CSV (RFC 4180): a cell in double quotes may contain separators, line breaks and doubled
/// quotes; lines end with LF or CRLF; empty lines are skipped. Throws Error naming the line for an
/// unclosed quote, text after a closing quote, a quote inside an unquoted cell, or a record with a
/// different number of cells than the first. `where` names the text in messages.
std::vector<CsvRow> parseCsv(std::string_view text, const std::string& where,
                             const CsvFormat& format = {});

/// The word for a separator: "commas", "semicolons", "tabs".
std::string separatorWord(char separator);

}  // namespace tfm::io

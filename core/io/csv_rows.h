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

/// Parses CSV (RFC 4180): a cell in double quotes may contain commas, line breaks and doubled
/// quotes; lines end with LF or CRLF; empty lines are skipped. Throws Error naming the line for an
/// unclosed quote, text after a closing quote, a quote inside an unquoted cell, or a record with a
/// different number of cells than the first. `where` names the text in messages.
std::vector<CsvRow> parseCsv(std::string_view text, const std::string& where);

}  // namespace tfm::io

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tfm::io {

/// One record of a comma-separated table.
struct CsvRow {
  std::size_t line = 0;  ///< where it begins, from 1
  std::vector<std::string> cells;
};

/// The records of a comma-separated text (RFC 4180): a cell in double quotes may hold commas, line
/// breaks and, doubled, quotes; lines end with LF or CRLF; empty lines are skipped. Throws Error
/// naming the line for a quote that is not closed, for text after a closing quote, for a quote
/// inside an unquoted cell, and for a record with another number of cells than the first. `where`
/// names the text in messages.
std::vector<CsvRow> parseCsv(std::string_view text, const std::string& where);

}  // namespace tfm::io

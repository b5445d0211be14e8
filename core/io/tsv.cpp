// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tsv.h"

#include <utility>

namespace tfm::io {
namespace {

TextPair pairOf(CsvRow row, const std::string& text, ExtraColumns extra) {
  const std::string where = text + ", line " + std::to_string(row.line);
  const std::size_t columns = row.cells.size();
  if (columns < 2 || (columns > 2 && extra == ExtraColumns::Refuse))
    throw notTwoColumns(columns, where);
  for (const std::size_t column : {0, 1})
    if (row.cells[column].empty())
      throw Error("column " + std::to_string(column + 1) + " is empty", where,
                  "Fill it or remove the line.");
  return {std::move(row.cells[0]), std::move(row.cells[1]), row.line};
}

}  // namespace

Error notTwoColumns(std::size_t columns, const std::string& where) {
  return {
      "found " + std::to_string(columns) + (columns == 1 ? " column" : " columns") + ", expected 2",
      where, "Separate the two columns of each line with one tab."};
}

std::vector<CsvRow> tabRows(std::string_view text) {
  std::vector<CsvRow> rows;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    CsvRow row{number, {}};
    for (std::size_t tab = line.find('\t'); tab != line.npos; tab = line.find('\t')) {
      row.cells.emplace_back(line.substr(0, tab));
      line.remove_prefix(tab + 1);
    }
    row.cells.emplace_back(line);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<TextPair> parseTsv(std::string_view text, const std::string& where,
                               ExtraColumns extra) {
  std::vector<TextPair> rows;
  for (CsvRow& row : tabRows(text)) rows.push_back(pairOf(std::move(row), where, extra));
  if (rows.empty()) throw Error("the file has no rows", where, "Choose another file.");
  return rows;
}

}  // namespace tfm::io

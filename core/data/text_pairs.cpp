// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/text_pairs.h"

#include <utility>

#include "core/base/error.h"
#include "core/data/header.h"
#include "core/data/labelled_task.h"
#include "core/data/labelled_texts.h"
#include "core/io/text_table.h"

namespace tfm::data {
namespace {

/// A cell on one line.
std::string lineOf(std::string cell) {
  for (char& c : cell)
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  return cell;
}

}  // namespace

TextPairs questionPairs(std::string_view table, const TaskConfig& config) {
  const std::string& where = config.path;
  io::TextTable read = io::readTable(table, where);
  if (read.rows.empty()) throw Error("the file has no rows", where, "Choose another file.");
  TextPairs pairs;
  const bool header = hasPairsHeader(read.rows, config.header, where, pairs.notes);
  for (std::size_t i = header ? 1 : 0; i < read.rows.size(); ++i) {
    io::CsvRow& row = read.rows[i];
    const std::string line = where + ", line " + std::to_string(row.line);
    if (row.cells.size() < 2) throw io::notTwoColumns(row.cells.size(), line);
    for (const std::size_t column : {0, 1})
      if (row.cells[column].empty())
        throw Error("column " + std::to_string(column + 1) + " is empty", line,
                    "Fill it or remove the line.");
    pairs.rows.push_back(
        {lineOf(std::move(row.cells[0])), lineOf(std::move(row.cells[1])), row.line});
  }
  if (pairs.rows.empty())
    throw Error("there are no rows after the header", where, "Choose another file.");
  return pairs;
}

TextPairs labelledPairs(std::string_view table, const TaskConfig& config) {
  LabelledTable read = parseLabelledTexts(table, config.path,
                                          {.column = labelColumn(config), .header = config.header});
  TextPairs pairs{{}, std::move(read.notes)};
  for (LabelledText& row : read.rows) {
    io::TextPair pair{std::move(row.text), std::move(row.label)};
    if (config.label_first) std::swap(pair.first, pair.second);
    pairs.rows.push_back(std::move(pair));
  }
  return pairs;
}

std::string tabText(std::span<const io::TextPair> rows) {
  std::string text;
  for (const io::TextPair& row : rows) text += row.first + '\t' + row.second + '\n';
  return text;
}

}  // namespace tfm::data

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/labelled_texts.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/data/header.h"
#include "core/io/csv_rows.h"
#include "core/io/message_text.h"
#include "core/io/text_table.h"
#include "core/io/tsv.h"

namespace tfm::data {
namespace {

constexpr std::size_t kLongestLabel = 64;  // bytes

bool isOneOf(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), asciiLower(name)) != names.end();
}

bool isLabel(std::string_view value) {
  return value.find_first_not_of(' ') != value.npos && value.size() <= kLongestLabel &&
         std::none_of(value.begin(), value.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

/// The number of different values of a column; nullopt if it cannot be the label.
std::optional<std::size_t> labelsIn(std::span<const io::TextPair> rows,
                                    std::string io::TextPair::*column) {
  std::set<std::string_view> values;
  for (const io::TextPair& row : rows) {
    if (!isLabel(row.*column)) return std::nullopt;
    values.insert(row.*column);
    if (values.size() > kMaxLabels) return std::nullopt;
  }
  return values.size();
}

bool isUsual(std::string_view label) {
  return std::ranges::any_of(kSentimentLabels,
                             [&](const auto& labels) { return isOneOf(labels, label); });
}

/// Whether a column has known or usual labels alone.
bool isKnown(std::span<const io::TextPair> rows, std::string io::TextPair::*column,
             const std::set<std::string>& known) {
  return std::ranges::all_of(rows, [&](const io::TextPair& row) {
    return known.contains(row.*column) || isUsual(row.*column);
  });
}

bool labelIsFirst(std::span<const io::TextPair> rows, const std::string& where,
                  const std::set<std::string>& known) {
  const bool first_known = isKnown(rows, &io::TextPair::first, known);
  if (first_known != isKnown(rows, &io::TextPair::second, known)) return first_known;
  const auto first = labelsIn(rows, &io::TextPair::first);
  const auto second = labelsIn(rows, &io::TextPair::second);
  if (!first && !second)
    throw Error("neither column holds labels", where,
                "One column must have short names or numbers, at most " +
                    std::to_string(kMaxLabels) + " different.");
  if (!first || !second) return first.has_value();
  if (*first != *second) return *first < *second;
  std::size_t first_bytes = 0;
  std::size_t second_bytes = 0;
  for (const io::TextPair& row : rows) {
    first_bytes += row.first.size();
    second_bytes += row.second.size();
  }
  return first_bytes < second_bytes;
}

void requireLabel(const LabelledText& row, const std::string& where) {
  if (!isLabel(row.label))
    throw Error("the label is " + io::inQuotes(io::shortened(row.label, kLongestLabel)), where,
                "A label has 1 to " + std::to_string(kLongestLabel) +
                    " bytes without control characters, not only spaces. Is the other column the "
                    "label?");
}

/// The first line that is not empty.
std::string_view firstLine(std::string_view table) {
  const std::size_t begin = std::min(table.find_first_not_of("\r\n"), table.size());
  return table.substr(begin, table.find_first_of("\r\n", begin) - begin);
}

constexpr const char* kExpectedColumns =
    "Expected two tab-separated columns, or CSV with a header: a column text, review or sentence "
    "and "
    "a column label or sentiment.";

// ---- a text that a document keeps

std::vector<LabelledText> keptTabs(std::string_view table, const std::string& where,
                                   const LabelledReading& reading) {
  std::vector<io::TextPair> rows = io::parseTsv(table, where);
  bool first = reading.column == LabelColumn::First;
  std::size_t begin = 0;
  if (reading.column == LabelColumn::Found) {
    const auto& [head_first, head_second, line] = rows.front();
    const bool label_text = isOneOf(kLabelNames, head_first) && isOneOf(kTextNames, head_second);
    const bool text_label = isOneOf(kTextNames, head_first) && isOneOf(kLabelNames, head_second);
    begin = label_text || text_label ? 1 : 0;
    first = begin == 1 ? label_text : labelIsFirst(rows, where, reading.known);
  }
  std::vector<LabelledText> texts;
  texts.reserve(rows.size());
  for (std::size_t i = begin; i < rows.size(); ++i) {
    io::TextPair& row = rows[i];
    if (!first) std::swap(row.first, row.second);
    texts.push_back({std::move(row.first), std::move(row.second)});
    requireLabel(texts.back(), where + ", line " + std::to_string(row.line));
  }
  return texts;
}

/// The only column with one of these names.
std::size_t namedColumn(std::span<const std::string> head, const auto& names,
                        const std::string& line_text, const std::string& where) {
  const auto named = [&](const std::string& cell) { return isOneOf(names, cell); };
  const auto found = std::ranges::find_if(head, named);
  const auto count = std::ranges::count_if(head, named);
  if (count != 1)
    throw Error((count == 0 ? "there is no column of texts or of labels: the first line is "
                            : "there is more than one column of texts or labels: "
                              "the first line is ") +
                    io::inQuotes(line_text),
                where, kExpectedColumns);
  return static_cast<std::size_t>(found - head.begin());
}

/// Texts and labels from two of the columns, from row `begin` on.
std::vector<LabelledText> fromColumns(std::vector<io::CsvRow>& rows, std::size_t begin,
                                      std::size_t text, std::size_t label, const std::string& where,
                                      ReadingRules rules) {
  std::vector<LabelledText> texts;
  texts.reserve(rows.size());
  for (std::size_t i = begin; i < rows.size(); ++i) {
    std::vector<std::string>& cells = rows[i].cells;
    const std::string line = where + ", line " + std::to_string(rows[i].line);
    if (cells[text].empty()) throw Error("the text is empty", line, "Fill it or remove the line.");
    if (rules == ReadingRules::Present) {
      // A label of blanks alone stays, so that the message has it.
      const std::string_view trimmed = io::withoutWhiteSpace(cells[label]);
      if (!trimmed.empty()) cells[label] = std::string(trimmed);
    }
    texts.push_back({std::move(cells[label]), std::move(cells[text])});
    requireLabel(texts.back(), line);
  }
  return texts;
}

std::vector<LabelledText> keptCommas(std::string_view table, const std::string& where) {
  std::vector<io::CsvRow> rows = io::parseCsv(table, where);
  if (rows.empty()) throw Error("the file has no rows", where, "Choose another file.");
  const std::vector<std::string>& head = rows.front().cells;
  const std::string line_text(firstLine(table));
  const std::string line = where + ", line " + std::to_string(rows.front().line);
  const std::size_t text = namedColumn(head, kTextNames, line_text, line);
  const std::size_t label = namedColumn(head, kLabelNames, line_text, line);
  return fromColumns(rows, 1, text, label, where, ReadingRules::Kept);
}

// ---- a file

/// Two columns as pairs, without the blanks around labels.
std::vector<io::TextPair> pairsOf(std::span<const io::CsvRow> rows) {
  std::vector<io::TextPair> pairs;
  for (const io::CsvRow& row : rows)
    pairs.push_back({std::string(io::withoutWhiteSpace(row.cells[0])),
                     std::string(io::withoutWhiteSpace(row.cells[1])), row.line});
  return pairs;
}

void requireTwoColumns(std::span<const io::CsvRow> rows, char separator, const std::string& where) {
  for (const io::CsvRow& row : rows) {
    const std::string line = where + ", line " + std::to_string(row.line);
    if (row.cells.size() != 2) {
      if (separator == '\t') throw io::notTwoColumns(row.cells.size(), line);
      throw Error("found " + std::to_string(row.cells.size()) + " cells, expected 2", line,
                  kExpectedColumns);
    }
    for (const std::size_t column : {0, 1})
      if (row.cells[column].empty())
        throw Error("column " + std::to_string(column + 1) + " is empty", line,
                    "Fill it or remove the line.");
  }
}

/// The label column of a table without names.
std::size_t foundLabel(std::span<const io::CsvRow> rows, const std::string& where,
                       const LabelledReading& reading, ReadingNotes& notes) {
  if (reading.column != LabelColumn::Found) return reading.column == LabelColumn::First ? 0 : 1;
  const std::vector<io::TextPair> pairs = pairsOf(rows);
  // The first of many rows may be a header.
  constexpr std::size_t kManyRows = 5;
  const auto examples = std::span(pairs).subspan(pairs.size() > kManyRows ? 1 : 0);
  const bool first_known = isKnown(examples, &io::TextPair::first, reading.known);
  if (first_known != isKnown(examples, &io::TextPair::second, reading.known))
    return first_known ? 0 : 1;
  const std::size_t label = labelIsFirst(pairs, where, reading.known) ? 0 : 1;
  if (!labelsIn(pairs, &io::TextPair::first) || !labelsIn(pairs, &io::TextPair::second))
    return label;
  ReadingNote note{where + ": column " + std::to_string(label + 1) +
                       " is read as the label, since it has fewer or shorter values",
                   "", "", ""};
  if (label == 1) {
    note.field = "label_first";
    note.value = "true";
    note.otherwise = "reads column 1 as the label";
  } else {
    note.sentence += "; a first line with the names text and label decides it";
  }
  notes.push_back(std::move(note));
  return label;
}

/// Labels that differ only in the case of their letters are two classes.
void noteSimilarLabels(std::span<const LabelledText> rows, const std::string& where,
                       ReadingNotes& notes) {
  std::map<std::string, std::string> found;
  for (const std::string& label : labelsOf(rows)) {
    const auto [other, is_new] = found.emplace(asciiLower(label), label);
    if (!is_new)
      notes.push_back({where + ": the labels " + io::inQuotes(other->second) + " and " +
                           io::inQuotes(label) + " differ only in case and are two classes",
                       "", "", ""});
  }
}

LabelledTable fromFile(std::string_view table, const std::string& where,
                       const LabelledReading& reading) {
  io::TextTable read = io::readTable(table, where);
  std::vector<io::CsvRow>& rows = read.rows;
  if (rows.empty()) throw Error("the file has no rows", where, "Choose another file.");
  const bool tabs = read.separator == '\t';
  const std::vector<std::string> head = rows.front().cells;
  const auto text = textColumnIn(head), label = labelColumnIn(head);
  const bool named = text && label && reading.header != TableHeader::No;
  LabelledTable result;
  if (named && head.size() > 2) {
    for (const io::CsvRow& row : rows)
      if (row.cells.size() != head.size())
        throw Error("found " + std::to_string(row.cells.size()) + " columns, expected " +
                        std::to_string(head.size()) + " as in the first line",
                    where + ", line " + std::to_string(row.line),
                    "Complete the line or remove it.");
    result.rows = fromColumns(rows, 1, *text, *label, where, ReadingRules::Present);
  } else if (!tabs && reading.header == TableHeader::Found) {
    const std::string line = where + ", line " + std::to_string(rows.front().line);
    const std::string line_text(firstLine(table));
    const std::size_t text_column = text ? *text : namedColumn(head, kTextNames, line_text, line);
    const std::size_t label_column =
        label ? *label : namedColumn(head, kLabelNames, line_text, line);
    result.rows = fromColumns(rows, 1, text_column, label_column, where, ReadingRules::Present);
  } else {
    requireTwoColumns(rows, read.separator, where);
    const bool told = reading.column == LabelColumn::First;
    const std::size_t column =
        named && !told ? *label : foundLabel(rows, where, reading, result.notes);
    const bool header = hasLabelledHeader(rows, column, reading.header, where, result.notes);
    result.rows =
        fromColumns(rows, header ? 1 : 0, 1 - column, column, where, ReadingRules::Present);
  }
  noteSimilarLabels(result.rows, where, result.notes);
  return result;
}

}  // namespace

LabelledTable parseLabelledTexts(std::string_view table, const std::string& where,
                                 const LabelledReading& reading) {
  LabelledTable result;
  if (reading.rules == ReadingRules::Present) {
    result = fromFile(table, where, reading);
  } else {
    const bool tabs = firstLine(table).find('\t') != table.npos;
    result.rows = tabs ? keptTabs(table, where, reading) : keptCommas(table, where);
  }
  if (result.rows.empty())
    throw Error("there are no rows after the header", where,
                "Choose a table with at least two texts");
  for (LabelledText& row : result.rows)
    for (char& c : row.text)
      if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  return result;
}

std::string asciiLower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

std::set<std::string> labelsOf(std::span<const LabelledText> rows) {
  std::set<std::string> labels;
  for (const LabelledText& row : rows) labels.insert(row.label);
  return labels;
}

std::string labelledTable(std::span<const LabelledText> rows) {
  std::string table;
  for (const LabelledText& row : rows) table += row.label + '\t' + row.text + '\n';
  return table;
}

}  // namespace tfm::data

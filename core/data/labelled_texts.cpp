// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/labelled_texts.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/io/csv_rows.h"
#include "core/io/message_text.h"
#include "core/io/tsv.h"

namespace tfm::data {
namespace {

constexpr std::size_t kLongestLabel = 64;  // bytes
constexpr std::array<std::string_view, 3> kTextNames{"text", "review", "sentence"};
constexpr std::array<std::string_view, 2> kLabelNames{"label", "sentiment"};

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

bool labelIsFirst(std::span<const io::TextPair> rows, const std::string& where,
                  const std::set<std::string>& known) {
  const auto is_known = [&](std::string io::TextPair::*column) {
    return std::all_of(rows.begin(), rows.end(), [&](const auto& row) {
      return known.contains(row.*column) || isUsual(row.*column);
    });
  };
  const bool first_known = is_known(&io::TextPair::first);
  if (first_known != is_known(&io::TextPair::second)) return first_known;
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

std::vector<LabelledText> fromTabs(std::string_view table, const std::string& where,
                                   LabelColumn column, const std::set<std::string>& known) {
  std::vector<io::TextPair> rows = io::parseTsv(table, where);
  bool first = column == LabelColumn::First;
  std::size_t begin = 0;
  if (column == LabelColumn::Found) {
    const auto& [head_first, head_second, line] = rows.front();
    const bool label_text = isOneOf(kLabelNames, head_first) && isOneOf(kTextNames, head_second);
    const bool text_label = isOneOf(kTextNames, head_first) && isOneOf(kLabelNames, head_second);
    begin = label_text || text_label ? 1 : 0;
    first = begin == 1 ? label_text : labelIsFirst(rows, where, known);
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

std::vector<LabelledText> fromCommas(std::string_view table, const std::string& where) {
  std::vector<io::CsvRow> rows = io::parseCsv(table, where);
  if (rows.empty()) throw Error("the file has no rows", where, "Choose another file.");
  const std::vector<std::string>& head = rows.front().cells;
  const auto place = [&](const auto& names) {
    const auto named = [&](const std::string& cell) { return isOneOf(names, cell); };
    const auto found = std::find_if(head.begin(), head.end(), named);
    const auto count = std::count_if(found, head.end(), named);
    if (count != 1)
      throw Error((count == 0 ? "there is no column of texts or of labels: the first line is "
                              : "there is more than one column of texts or labels: "
                                "the first line is ") +
                      io::inQuotes(firstLine(table)),
                  where + ", line " + std::to_string(rows.front().line),
                  "Expected two tab-separated columns, or CSV with a header: a column text, review "
                  "or sentence and a column label or sentiment.");
    return static_cast<std::size_t>(found - head.begin());
  };
  const std::size_t text = place(kTextNames);
  const std::size_t label = place(kLabelNames);
  std::vector<LabelledText> texts;
  texts.reserve(rows.size());
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const std::string line = where + ", line " + std::to_string(rows[i].line);
    if (rows[i].cells[text].empty())
      throw Error("the text is empty", line, "Fill it or remove the line.");
    texts.push_back({std::move(rows[i].cells[label]), std::move(rows[i].cells[text])});
    requireLabel(texts.back(), line);
  }
  return texts;
}

}  // namespace

std::vector<LabelledText> parseLabelledTexts(std::string_view table, const std::string& where,
                                             LabelColumn column,
                                             const std::set<std::string>& known) {
  const bool tabs = firstLine(table).find('\t') != table.npos;
  std::vector<LabelledText> texts =
      tabs ? fromTabs(table, where, column, known) : fromCommas(table, where);
  if (texts.empty())
    throw Error("there are no rows after the header", where,
                "Choose a table with at least two texts");
  for (LabelledText& row : texts)
    for (char& c : row.text)
      if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  return texts;
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

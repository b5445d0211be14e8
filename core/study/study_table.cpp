// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_table.h"

#include <array>
#include <charconv>

#include "core/base/error.h"

namespace tfm::train {
namespace {

constexpr const char* kHint = "Open a table that a study has saved";

void add(std::string& text, const std::string& word) { text += word; }
void add(std::string& text, auto number) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
}

template <class Number>
bool readNumber(std::string_view word, Number& value) {
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  return problem == std::errc() && end == word.data() + word.size();
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

StudyCell cellOf(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) {
    if (!text.empty()) text += ',';
    add(text, number);
  }
  return text;
}

bool readCell(std::string_view word, std::string& value) {
  value = word;
  return !word.empty();
}
bool readCell(std::string_view word, std::int64_t& value) { return readNumber(word, value); }
bool readCell(std::string_view word, std::uint64_t& value) { return readNumber(word, value); }
bool readCell(std::string_view word, double& value) { return readNumber(word, value); }
bool readCell(std::string_view word, std::vector<std::int64_t>& numbers) {
  numbers.clear();
  if (word.empty()) return true;
  for (const std::string_view part : split(word, ','))
    if (!readNumber(part, numbers.emplace_back())) return false;
  return true;
}

std::vector<TableLine> tableLines(std::string_view text, std::string_view header,
                                  const std::string& where) {
  header.remove_suffix(1);  // the end of its line
  const std::size_t columns = split(header, '\t').size();
  std::vector<TableLine> lines;
  std::size_t number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() && (number > 1 || text.empty())) continue;
    std::vector<std::string_view> cells = split(line, '\t');
    if (cells.size() != columns)
      failAtLine(number,
                 "there are " + std::to_string(cells.size()) + " columns instead of " +
                     std::to_string(columns),
                 where);
    if (number > 1)
      lines.push_back({number, std::move(cells)});
    else if (line != header)
      failAtLine(number, "the columns are not those of such a study", where);
  }
  if (lines.empty()) throw Error("the table has no measurements", where, kHint);
  return lines;
}

std::string toTsv(const MeasuredTable& table) {
  std::string text;
  for (const std::string& name : table.columns) {
    if (!text.empty()) text += '\t';
    text += name;
  }
  for (const std::vector<StudyCell>& row : table.rows)
    for (const StudyCell& cell : row) {
      text += &cell == &row.front() ? '\n' : '\t';
      std::visit([&](const auto& value) { add(text, value); }, cell);
    }
  return text + '\n';
}

void failAtLine(std::size_t line, const std::string& problem, const std::string& where) {
  throw Error(problem, where + ", line " + std::to_string(line), kHint);
}

}  // namespace tfm::train

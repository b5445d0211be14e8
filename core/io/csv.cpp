// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/csv.h"

#include <charconv>
#include <string_view>

#include "core/base/check.h"
#include "core/io/atomic_file.h"

namespace tfm::io {
namespace {

std::string fieldText(const std::string& value) {
  if (value.find_first_of(",\"\r\n") == value.npos) return value;
  std::string result = "\"";
  for (const char character : value) {
    if (character == '"') result += '"';
    result += character;
  }
  return result + '"';
}

template <class Number>
std::string fieldText(Number value) {
  char buffer[32];  // the longest double has 24 characters
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, result.ptr);
}

template <class Cells, class Text>
void appendLine(std::string& text, const Cells& cells, Text textOf) {
  std::string_view separator;
  for (const auto& cell : cells) {
    text += separator;
    text += textOf(cell);
    separator = ",";
  }
  text += '\n';
}

}  // namespace

CsvTable::CsvTable(std::initializer_list<std::string> header)
    : CsvTable(std::span(header.begin(), header.size())) {}

CsvTable::CsvTable(std::span<const std::string> header) : columns_(header.size()) {
  appendLine(text_, header, [](const std::string& name) { return fieldText(name); });
}

void CsvTable::addRow(std::initializer_list<CsvCell> cells) {
  addRow(std::span(cells.begin(), cells.size()));
}

void CsvTable::addRow(std::span<const CsvCell> cells) {
  check(cells.size() == columns_, "a CSV row has as many cells as the header");
  appendLine(text_, cells, [](const CsvCell& cell) {
    return std::visit([](const auto& value) { return fieldText(value); }, cell);
  });
}

void CsvTable::save(const std::filesystem::path& path) const { writeFile(path, text_); }

}  // namespace tfm::io

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/text_table.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "core/base/error.h"
#include "core/io/foreign_format.h"
#include "core/io/tsv.h"

namespace tfm::io {
namespace {

/// A tab or a mark: no letter, digit, quote, or part of a longer character.
bool canSeparate(char c) {
  return c == '\t' || (c > ' ' && c < '\x7F' && c != '"' && std::isalnum(c) == 0);
}

/// The separator that the first line names; `text` then begins after that line.
std::optional<char> namedSeparator(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  const bool quoted = line.size() > 2 && line.starts_with('"') && line.ends_with('"');
  if (quoted) line = line.substr(1, line.size() - 2);
  constexpr std::string_view kName = "sep=";
  if (line.size() != kName.size() + 1 || !line.starts_with(kName) || !canSeparate(line.back()))
    return std::nullopt;
  text.remove_prefix(std::min(end + 1, text.size()));
  return line.back();
}

/// How often a character is in a line, outside quotes.
std::size_t countOutsideQuotes(std::string_view line, char wanted) {
  bool quoted = false;
  std::size_t count = 0;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    count += !quoted && c == wanted ? 1 : 0;
  }
  return count;
}

std::string_view firstLine(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of("\r\n"), text.size()));
  return text.substr(0, text.find_first_of("\r\n"));
}

std::optional<std::vector<CsvRow>> rowsIfAny(std::string_view text, char separator) {
  try {
    std::vector<CsvRow> rows = parseCsv(text, "table", {.separator = separator, .trims = true});
    if (rows.empty() || rows.front().cells.size() < 2) return std::nullopt;
    return rows;
  } catch (const Error&) {
    return std::nullopt;
  }
}

TextTable readCsv(std::string_view text, const std::string& where) {
  const std::string_view line = firstLine(text);
  const bool commas = countOutsideQuotes(line, ',') > 0;
  const bool semicolons = countOutsideQuotes(line, ';') > 0;
  if (!commas || !semicolons) {
    const char separator = semicolons ? ';' : ',';
    return {separator, parseCsv(text, where, {.separator = separator, .trims = true})};
  }
  auto by_commas = rowsIfAny(text, ','), by_semicolons = rowsIfAny(text, ';');
  if (by_commas.has_value() == by_semicolons.has_value())
    throw Error("the first line has commas and semicolons, and either may separate the columns",
                where, "Begin the file with the line sep=, or sep=;");
  if (by_commas) return {',', std::move(*by_commas)};
  return {';', std::move(*by_semicolons)};
}

}  // namespace

TextTable readTable(std::string_view text, const std::string& where) {
  if (const auto foreign = foreignTable(text))
    throw Error("this is " + foreign->what, where, foreign->hint);
  if (const auto named = namedSeparator(text)) {
    if (*named != '\t')
      return {*named, parseCsv(text, where, {.separator = *named, .trims = true, .first_line = 2})};
    TextTable table{'\t', tabRows(text)};
    for (CsvRow& row : table.rows) ++row.line;
    return table;
  }
  if (firstLine(text).find('\t') != text.npos) return {'\t', tabRows(text)};
  return readCsv(text, where);
}

std::string_view tableHeader(std::string_view text) {
  std::string_view rest = text;
  namedSeparator(rest);
  const std::string_view line = firstLine(rest);
  return text.substr(0, std::size_t(line.data() + line.size() - text.data()));
}

std::string_view withoutWhiteSpace(std::string_view text) {
  constexpr std::string_view kNoBreakSpace = "\xC2\xA0";
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  for (;;) {
    if (!text.empty() && is_blank(text.front()))
      text.remove_prefix(1);
    else if (!text.empty() && is_blank(text.back()))
      text.remove_suffix(1);
    else if (text.starts_with(kNoBreakSpace))
      text.remove_prefix(kNoBreakSpace.size());
    else if (text.ends_with(kNoBreakSpace))
      text.remove_suffix(kNoBreakSpace.size());
    else
      return text;
  }
}

}  // namespace tfm::io

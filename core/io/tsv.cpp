// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tsv.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/io/text_file.h"

namespace tfm::io {
namespace {

TextPair parseLine(std::string_view line, std::size_t number, const std::string& text,
                   ExtraColumns extra) {
  const std::string where = text + ", line " + std::to_string(number);
  const auto columns = std::count(line.begin(), line.end(), '\t') + 1;
  if (columns < 2 || (columns > 2 && extra == ExtraColumns::Refuse)) {
    throw Error("found " + std::to_string(columns) + (columns == 1 ? " column" : " columns") +
                    ", expected 2",
                where, "Separate the two columns of each line with one tab.");
  }
  const std::size_t tab = line.find('\t');
  const std::string_view first = line.substr(0, tab);
  const std::string_view rest = line.substr(tab + 1);
  const std::string_view second = rest.substr(0, rest.find('\t'));
  if (first.empty() || second.empty()) {
    throw Error(std::string("column ") + (first.empty() ? "1" : "2") + " is empty", where,
                "Fill it or remove the line.");
  }
  return {std::string(first), std::string(second), number};
}

}  // namespace

std::vector<TextPair> parseTsv(std::string_view text, const std::string& where,
                               ExtraColumns extra) {
  std::vector<TextPair> rows;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    rows.push_back(parseLine(line, number, where, extra));
  }
  if (rows.empty()) throw Error("the file has no rows", where, "Choose another file.");
  return rows;
}

std::vector<TextPair> readTsv(const std::filesystem::path& path, ExtraColumns extra) {
  return parseTsv(readTextFile(path), path.string(), extra);
}

}  // namespace tfm::io

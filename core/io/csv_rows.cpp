// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/csv_rows.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"

namespace tfm::io {
namespace {

class CsvReader {
 public:
  CsvReader(std::string_view text, const std::string& where, const CsvFormat& format)
      : text_(text),
        where_(where),
        format_(format),
        cell_ends_{format.separator, '\n', '"'},
        line_(format.first_line) {}

  std::vector<CsvRow> rows() {
    std::vector<CsvRow> rows;
    while (at_ < text_.size()) {
      if (skipLineEnd()) continue;
      rows.push_back(row());
      const std::size_t found = rows.back().cells.size();
      const std::size_t expected = rows.front().cells.size();
      if (found != expected)
        fail("found " + std::to_string(found) + " cells, expected " + std::to_string(expected) +
                 " as in the first record",
             rows.back().line,
             "Put cells with " + separatorWord(format_.separator) + " in double quotes.");
    }
    return rows;
  }

 private:
  CsvRow row() {
    CsvRow row{line_, {}};
    for (;;) {
      skipBlanks();
      row.cells.push_back(peek() == '"' ? quotedCell() : plainCell());
      if (!atSeparator()) break;
      ++at_;
    }
    skipLineEnd();
    return row;
  }

  std::string plainCell() {
    const std::size_t end = std::min(text_.find_first_of(cell_ends_, at_), text_.size());
    std::string cell(text_.substr(at_, end - at_));
    at_ = end;
    if (peek() == '"') fail("found a quote inside an unquoted cell", line_, kQuoting);
    if (peek() == '\n' && cell.ends_with('\r')) {
      cell.pop_back();
      --at_;
    }
    if (format_.trims) cell.erase(cell.find_last_not_of(kBlanks) + 1);
    return cell;
  }

  std::string quotedCell() {
    const std::size_t begin = line_;
    std::string cell;
    for (++at_;;) {
      const std::size_t quote = text_.find('"', at_);
      if (quote == text_.npos) fail("a quote is not closed", begin, kQuoting);
      const std::string_view part = text_.substr(at_, quote - at_);
      line_ += static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
      cell += part;
      at_ = quote + 1;
      if (peek() != '"') break;
      cell += '"';
      ++at_;
    }
    skipBlanks();
    if (at_ < text_.size() && !atSeparator() && !atLineEnd())
      fail("found text after a closing quote", line_, kQuoting);
    return cell;
  }

  void skipBlanks() {
    if (!format_.trims) return;
    while (at_ < text_.size() && !atSeparator() && kBlanks.find(peek()) != kBlanks.npos) ++at_;
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool atSeparator() const { return at_ < text_.size() && text_[at_] == format_.separator; }

  bool atLineEnd() const {
    return text_.substr(at_).starts_with('\n') || text_.substr(at_).starts_with("\r\n");
  }

  bool skipLineEnd() {
    if (!atLineEnd()) return false;
    at_ += text_[at_] == '\r' ? 2 : 1;
    ++line_;
    return true;
  }

  [[noreturn]] void fail(const std::string& problem, std::size_t line,
                         const std::string& hint) const {
    throw Error(problem, where_ + ", line " + std::to_string(line), hint);
  }

  static constexpr const char* kQuoting =
      "Put the whole cell in double quotes and double the quotes inside it.";

  static constexpr std::string_view kBlanks = " \t";

  std::string_view text_;
  const std::string& where_;
  const CsvFormat& format_;
  std::string cell_ends_;
  std::size_t at_ = 0;
  std::size_t line_;
};

}  // namespace

std::vector<CsvRow> parseCsv(std::string_view text, const std::string& where,
                             const CsvFormat& format) {
  return CsvReader(text, where, format).rows();
}

std::string separatorWord(char separator) {
  switch (separator) {
    case ',':
      return "commas";
    case ';':
      return "semicolons";
    case '\t':
      return "tabs";
    default:
      return std::string("'") + separator + "'";
  }
}

}  // namespace tfm::io

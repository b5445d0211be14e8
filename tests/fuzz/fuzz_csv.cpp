// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of a file, and what is kept of them.
#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "core/data/number_table.h"
#include "core/io/text_file.h"
#include "core/io/text_table.h"
#include "tests/fuzz/fuzz_target.h"

namespace {

using namespace tfm;

/// The rows as a CSV with every cell in quotes.
std::string quoted(const io::TextTable& table, char separator) {
  std::string text;
  for (const io::CsvRow& row : table.rows) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (i > 0) text += separator;
      text += '"';
      for (const char c : row.cells[i]) text += c == '"' ? std::string("\"\"") : std::string(1, c);
      text += '"';
    }
    text += '\n';
  }
  return text;
}

void readAnyTable(const std::string& text) {
  const io::TextTable table = io::readTable(text, "input");
  std::size_t line = 0;
  for (const io::CsvRow& row : table.rows) {
    check(row.line > line, "rows come in the order of their lines");
    line = row.line;
    if (table.separator == '\t') continue;
    check(row.cells.size() == table.rows.front().cells.size(), "every row has the same cells");
  }
  if (table.separator == '\t' || table.separator == '"' || table.separator == '\n') return;
  const auto again = io::parseCsv(quoted(table, ';'), "again", {.separator = ';', .trims = true});
  check(std::ranges::equal(again, table.rows, {}, &io::CsvRow::cells, &io::CsvRow::cells),
        "cells survive a round trip");
}

void readNumbers(const std::string& text) {
  using namespace tfm::data;
  const NumberTable table = parseNumberTable(text, "input");
  for (const double number : table.inputs) check(std::isfinite(float(number)), "finite floats");
  const std::string kept = numberTableText(table, NumberDigits::Double);
  for (const ReadingRules rules : {ReadingRules::Present, ReadingRules::Kept})
    check(parseNumberTable(kept, "again", true, rules) == table, "numbers survive a round trip");
}

}  // namespace

std::vector<std::string> tfm::fuzz::seeds() {
  using namespace std::string_literals;
  return {"text,label\n\"good, and \"\"short\"\"\",1\r\n\"two\nlines\",0\n", "a,b,c\n,,\n\nx,y,z",
          "\"été\"\n\"\"\n", "text, label\r a ,1\r\"b\" ,\t0\r",
          "sep=;\ntext;label\n\"a;b\";1\nc;0\n", "sep=|\nx1|y1\n1|2\n3|4\n",
          "x2;x1;y1\n0,5;-2;1e-400\n+,5;3,25;7\n", "x1\tx2\ty1\n1.5\t+2\t3\n4\t5\t6\n",
          "sequence,x1,y1\na,1,2\na,3,\nb,5,6\nb,7,\n",
          // "text,label\na,1\nb,0\n", compressed by gzip
          "\x1F\x8B\x08\x00\x00\x00\x00\x00\x02\x03+I\xAD(\xD1\xC9ILJ\xCD\xE1J\xD4"
          "1\xE4J\xD2"
          "1\xE0\x02\x00\xD2\xFE/\xCC\x13\x00\x00\x00"s};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return tfm::fuzz::outcomeOf([&] {
    constexpr std::uint64_t kMostBytes = 1 << 20;
    const std::string text =
        io::textOfFile(std::string(tfm::fuzz::asText(data, size)), "input", kMostBytes);
    readAnyTable(text);
    try {
      readNumbers(text);
    } catch (const Error&) {  // of other cells
    }
  });
}

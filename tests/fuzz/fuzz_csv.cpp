// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/io/csv_rows.h"
#include "core/io/text_file.h"
#include "tests/fuzz/fuzz_target.h"

std::vector<std::string> tfm::fuzz::seeds() {
  return {"text,label\n\"good, and \"\"short\"\"\",1\r\n\"two\nlines\",0\n", "a,b,c\n,,\n\nx,y,z",
          "\"été\"\n\"\"\n"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tfm::io;
  return tfm::fuzz::outcomeOf([&] {
    const std::string text = checkedText(std::string(tfm::fuzz::asText(data, size)), "input");
    const std::vector<CsvRow> rows = parseCsv(text, "input");
    std::size_t line = 0;
    for (const CsvRow& row : rows) {
      tfm::check(row.cells.size() == rows.front().cells.size(), "every row has the same cells");
      tfm::check(row.line > line, "rows come in the order of their lines");
      line = row.line;
    }
  });
}

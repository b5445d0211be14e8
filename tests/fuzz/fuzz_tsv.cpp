// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/io/text_file.h"
#include "core/io/tsv.h"
#include "tests/fuzz/fuzz_target.h"

namespace {

bool isField(const std::string& text) {
  return !text.empty() && text.find_first_of("\t\n") == text.npos;
}

}  // namespace

std::vector<std::string> tfm::fuzz::seeds() {
  return {"Go.\tVa !\nRun!\tCours !\nRun!\tCourez !\n",
          "1\ta stirring film\r\n0\tapparently not\r\n", "\n\nété\thiver"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tfm::io;
  return tfm::fuzz::outcomeOf([&] {
    const std::string text = checkedText(std::string(tfm::fuzz::asText(data, size)), "input");
    const auto rows = parseTsv(text, "input", ExtraColumns::Ignore);
    for (const TextPair& row : rows)
      tfm::check(isField(row.first) && isField(row.second), "every field has text");
    tfm::check(parseTsv(text, "input") == rows, "both ways to read two columns agree");
  });
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Two columns of a file, with and without a header, and what is kept of them.
#include <algorithm>

#include "core/base/check.h"
#include "core/data/labelled_texts.h"
#include "core/data/text_pairs.h"
#include "core/io/text_file.h"
#include "core/io/tsv.h"
#include "tests/fuzz/fuzz_target.h"

namespace {

using namespace tfm;

bool isField(const std::string& text) {
  return !text.empty() && text.find_first_of("\t\n") == text.npos;
}

bool same(const io::TextPair& one, const io::TextPair& other) {
  return one.first == other.first && one.second == other.second;
}

/// What was read of a file stays the same when it is kept.
void checkKept(const std::vector<io::TextPair>& rows) {
  for (const io::TextPair& row : rows)
    check(isField(row.first) && isField(row.second), "every field has text");
  check(std::ranges::equal(io::parseTsv(data::tabText(rows), "kept"), rows, same),
        "rows survive a round trip");
}

/// Returns whether it was accepted.
template <class Read>
bool accepts(const Read& read) {
  try {
    read();
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::vector<std::string> tfm::fuzz::seeds() {
  return {"Go.\tVa !\nRun!\tCours !\nRun!\tCourez !\n",
          "1\ta stirring film\r\n0\tapparently not\r\n",
          "\n\nété\thiver",
          "source\ttarget\na\tb\n",
          "English,German\none,eins\n\"two, or 2\",zwei\n",
          "text;label\na film;1 \nanother; 0\n",
          "tweet\tlabel\ra\tpos\rb\tneg\r",
          "sep=;\nid;sentence;class\n1;a;x\n2;b;y\n"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  return tfm::fuzz::outcomeOf([&] {
    const std::string text =
        io::textOfFile(std::string(tfm::fuzz::asText(bytes, size)), "input", 1 << 20);
    data::TaskConfig pairs = data::defaultTaskConfig("pairs");
    pairs.path = "input";
    data::TaskConfig classes = data::defaultTaskConfig("classes");
    classes.path = "input";
    bool any = accepts([&] { checkKept(data::questionPairs(text, pairs).rows); });
    for (const bool label_first : {false, true}) {
      classes.label_first = label_first;
      any = accepts([&] { checkKept(data::labelledPairs(text, classes).rows); }) || any;
    }
    any = accepts([&] {
            const auto rows = data::parseLabelledTexts(text, "input").rows;
            const std::string kept = data::labelledTable(rows);
            check(data::parseLabelledTexts(
                      kept, "kept",
                      {.column = data::LabelColumn::First, .rules = data::ReadingRules::Kept})
                          .rows == rows,
                  "labelled texts survive a round trip");
          }) ||
          any;
    if (!any) throw Error("not a table of two columns", "input", "");
  });
}

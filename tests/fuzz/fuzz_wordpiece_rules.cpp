// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/data/tokenizer/wordpiece.h"
#include "tests/fuzz/fuzz_target.h"

namespace {

using namespace tfm::data;

/// The same rules, whatever the order of their names.
bool same(WordPieceRules a, WordPieceRules b) {
  for (WordPieceRules* rules : {&a, &b})
    std::ranges::sort(rules->named, {},
                      [](const NamedToken& token) { return std::pair(token.folded, token.name); });
  return a == b;
}

}  // namespace

std::vector<std::string> tfm::fuzz::seeds() {
  return {R"({"lower_case": true, "strip_accents": false, "split_ideographs": false,
    "longest_word": 7, "named_tokens": {"[MASK]": 4, "[SEP]": 3}, "folded_tokens": {"Ab": 5}})"
          "\tthe [MASK]film ab AB \xC3\x89",
          R"({"lower_case": false, "named_tokens": {"[": 1, "[M": 2, "[MA": 3}})"
          "\t[[M[MA \xE5\x8F\xB2"};
}

/// Rules, a tab, a text: what is accepted means what was written.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return tfm::fuzz::outcomeOf([&] {
    const std::string input(tfm::fuzz::asText(data, size));
    const std::size_t tab = std::min(input.find('\t'), input.size());
    const WordPieceRules rules = wordPieceRulesFromJson(input.substr(0, tab), "input");
    const std::string written = toJson(rules);
    tfm::check(written.empty() ? rules == WordPieceRules{}
                               : same(wordPieceRulesFromJson(written, "again"), rules),
               "rules that are written and read again are the same");
    const std::string text = input.substr(std::min(tab + 1, input.size()));
    const WordPiece tokenizer({"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "##b", "film"},
                              rules);
    for (const std::int32_t id : tokenizer.encode(text))
      tfm::check(id >= 0 && id < tokenizer.vocabulary().size(), "an id of the vocabulary");
    // A name that is the whole text is its token, unless another name begins it.
    for (const NamedToken& token : rules.named)
      if (!token.folded)
        tfm::check(tokenizer.encode(token.name) == Ids{token.id}, "a name is its token");
  });
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/check.h"
#include "core/data/cleaning.h"
#include "core/data/tokenizer/tokenizer.h"
#include "tests/fuzz/fuzz_target.h"

namespace {

using namespace tfm::data;

/// Each id is a token, the special ones among them are unknown only, and what was decoded is cut
/// into the same tokens again.
void useOn(const Tokenizer& tokenizer, const std::string& text) {
  const Vocabulary& vocabulary = tokenizer.vocabulary();
  const Ids ids = tokenizer.encode(text);
  bool known = true;
  for (const std::int32_t id : ids) {
    tfm::check(id >= 0 && id < vocabulary.size(), "an id of the vocabulary");
    tfm::check(id != vocabulary.pad(), "no text is a pad");
    known = known && id != vocabulary.unknown();
  }
  const std::string decoded = tokenizer.decode(ids);
  tfm::check(!known || tokenizer.encode(decoded) == ids, "what is known survives a round trip");
}

/// Those whose special tokens these lines may have; all for none, as these are learned.
std::vector<TokenizerKind> kindsFor(const std::string& vocabulary) {
  std::vector<TokenizerKind> kinds;
  const bool bert = vocabulary.find("[UNK]") != std::string::npos;
  if (bert || vocabulary.empty()) kinds.push_back(TokenizerKind::WordPiece);
  if (!bert) kinds.insert(kinds.end(), {TokenizerKind::Character, TokenizerKind::Word});
  return kinds;
}

}  // namespace

std::vector<std::string> tfm::fuzz::seeds() {
  return {"[PAD]\n[UNK]\nun\n##aff\n##able\n\tunaffable \xC3\x84 able",
          "<pad>\r\n<unknown>\r\na\r\n \r\n\xE6\x97\xA5\r\n\tA\xCC\x81 \xE6\x97\xA5-a",
          "\tlow lower lowest low newer \xEF\xBC\x81 \xE2\x80\x83 newest <br /> wide"};
}

/// A vocabulary's lines, a tab, a text. Without lines the vocabulary is learned from the text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return tfm::fuzz::outcomeOf([&] {
    const std::string input(tfm::fuzz::asText(data, size));
    const std::size_t tab = std::min(input.find('\t'), input.size());
    const std::string text = input.substr(std::min(tab + 1, input.size()));
    const std::string clean = cleanText(text);
    tfm::check(cleanText(clean) == clean, "cleaning again changes nothing");
    const std::string vocabulary = input.substr(0, tab);
    for (const TokenizerKind kind : kindsFor(vocabulary))
      useOn(*makeTokenizer(
                {.kind = kind, .vocabulary_size = 40, .least_count = 1, .vocabulary = vocabulary},
                {&text, 1}),
            text);
  });
}

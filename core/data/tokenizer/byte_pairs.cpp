// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/byte_pairs.h"

#include <limits>
#include <utility>

#include "core/base/error.h"
#include "core/data/tokenizer/basic_tokenizer.h"
#include "core/data/tokenizer/special_tokens.h"
#include "core/data/tokenizer/wordpiece.h"
#include "core/io/message_text.h"
#include "core/io/utf8.h"

namespace tfm::data {
namespace {

constexpr std::int32_t kNoMerge = std::numeric_limits<std::int32_t>::max();

}  // namespace

BytePairs::BytePairs(std::vector<std::string> tokens)
    : vocabulary_(withSpecials(std::move(tokens), kBytePairSpecials)) {
  for (std::int32_t id = 0; id < vocabulary_.size(); ++id) {
    const std::string& token = vocabulary_.token(id);
    // No text becomes the mask: brackets are separate words.
    if (vocabulary_.isSpecial(id) || token == kMaskToken || io::decodeUtf8(token).size() == 1)
      continue;
    // No earlier merge crossed the ends of the pair when it was learned, so that the token alone is
    // split as it was within its words.
    const Ids pieces = isTooLong(token) ? Ids{} : piecesOf(token);
    if (pieces.size() != 2 || pieces[0] == vocabulary_.unknown() ||
        pieces[1] == vocabulary_.unknown())
      throw Error("token " + std::to_string(id) + ", " + io::inQuotes(token) +
                      ", is not a pair of earlier tokens",
                  "vocabulary",
                  "Give the vocabulary of a byte pair encoding in the order of its merges.");
    merges_.emplace(pairOf(pieces[0], pieces[1]), id);
  }
}

Ids BytePairs::encode(std::string_view text) const {
  Ids ids;
  splitSpacedWords(text, [&](const std::string& word) {
    const Ids pieces = isTooLong(word) ? Ids{vocabulary_.unknown()} : piecesOf(word);
    ids.insert(ids.end(), pieces.begin(), pieces.end());
  });
  return ids;
}

Ids BytePairs::piecesOf(std::string_view word) const {
  Ids pieces;
  for (const char32_t character : io::decodeUtf8(word)) {
    const std::int32_t id = vocabulary_.find(io::encodeUtf8({&character, 1}));
    pieces.push_back(id < 0 ? vocabulary_.unknown() : id);
  }
  for (;;) {
    std::int32_t first = kNoMerge;
    PiecePair pair = 0;
    for (std::size_t i = 1; i < pieces.size(); ++i) {
      const auto merge = merges_.find(pairOf(pieces[i - 1], pieces[i]));
      if (merge == merges_.end() || merge->second >= first) continue;
      first = merge->second;
      pair = merge->first;
    }
    if (first == kNoMerge) return pieces;
    joinPair(pieces, pair, first);
  }
}

}  // namespace tfm::data

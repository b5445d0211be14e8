// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/wordpiece.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/data/tokenizer/basic_tokenizer.h"
#include "core/data/tokenizer/special_tokens.h"
#include "core/io/utf8.h"

namespace tfm::data {

bool isTooLong(std::string_view word) {
  // A character takes at most four bytes; most words need no decoding.
  constexpr std::size_t kMaxCharacters = 100;
  if (word.size() <= kMaxCharacters) return false;
  return word.size() > 4 * kMaxCharacters || io::decodeUtf8(word).size() > kMaxCharacters;
}

WordPiece::WordPiece(std::vector<std::string> tokens)
    : vocabulary_(withSpecials(std::move(tokens), kBertSpecials)),
      first_(vocabulary_.find(kBertSpecials.first)),
      last_(vocabulary_.find(kBertSpecials.last)) {
  for (const std::string& token : vocabulary_.tokens())
    longest_piece_ = std::max(longest_piece_, token.size());
}

Ids WordPiece::encode(std::string_view text) const {
  Ids ids;
  splitWords(text, [&](const std::string& word) { appendPieces(word, ids); });
  return ids;
}

void WordPiece::appendPieces(const std::string& word, Ids& ids) const {
  const std::size_t before = ids.size();
  std::string rest = word;
  std::size_t mark = 0;  // bytes of the "##" before the rest
  bool known = !isTooLong(word);
  while (known && rest.size() > mark) {
    // No token ends within a character, since tokens are UTF-8.
    std::size_t end = std::min(rest.size(), longest_piece_);
    std::int32_t id = -1;
    for (; end > mark; --end)
      if (id = vocabulary_.find(std::string_view(rest).substr(0, end)); id >= 0) break;
    known = id >= 0;
    ids.push_back(id);
    rest.replace(0, end, kContinuation);
    mark = kContinuation.size();
  }
  if (known) return;
  ids.resize(before);
  ids.push_back(vocabulary_.unknown());
}

std::string WordPiece::decode(std::span<const std::int32_t> ids) const {
  std::string text;
  for (const std::int32_t id : ids) {
    if (id == vocabulary_.pad()) break;
    if (id == first_ || id == last_) continue;
    std::string_view piece = vocabulary_.token(id);
    const bool goes_on = piece.size() > kContinuation.size() && piece.starts_with(kContinuation);
    if (goes_on)
      piece.remove_prefix(kContinuation.size());
    else if (!text.empty())
      text += ' ';
    text += piece;
  }
  return text;
}

Ids WordPiece::encodeWithSpecials(std::string_view text, std::int64_t longest) const {
  check(longest >= 2, "[CLS] and [SEP] must fit");
  if (first_ < 0 || last_ < 0)
    throw Error("the vocabulary has no [CLS] or no [SEP]", "vocabulary",
                "BERT needs both around each text.");
  Ids ids = encode(text);
  ids.resize(std::min(ids.size(), static_cast<std::size_t>(longest - 2)));
  ids.insert(ids.begin(), first_);
  ids.push_back(last_);
  return ids;
}

}  // namespace tfm::data

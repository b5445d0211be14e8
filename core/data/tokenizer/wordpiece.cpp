// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/wordpiece.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/data/tokenizer/basic_tokenizer.h"
#include "core/data/tokenizer/special_tokens.h"
#include "core/io/message_text.h"
#include "core/io/utf8.h"

namespace tfm::data {
namespace {

/// Calls `between` for the parts of a text between the names of tokens, and appends those tokens.
/// Of two names that begin at one place, the longer counts. `tokens`: longest name first.
void splitAtNames(std::string_view text, const std::vector<NamedToken>& tokens, Ids& ids,
                  const std::function<void(std::string_view)>& between) {
  std::string begins;  // the first bytes of all names
  for (const NamedToken& token : tokens) begins += token.name.front();
  std::size_t done = 0;
  for (std::size_t at = text.find_first_of(begins); at < text.size();
       at = text.find_first_of(begins, at)) {
    const auto named = std::ranges::find_if(
        tokens, [&](const NamedToken& token) { return text.substr(at).starts_with(token.name); });
    if (named == tokens.end()) {
      ++at;
      continue;
    }
    between(text.substr(done, at - done));
    ids.push_back(named->id);
    done = at += named->name.size();
  }
  between(text.substr(done));
}

}  // namespace

bool isTooLong(std::string_view word, std::int64_t longest) {
  // A character takes at most four bytes; most words need no decoding.
  const auto most = std::size_t(longest);
  if (word.size() <= most) return false;
  return word.size() > 4 * most || io::decodeUtf8(word).size() > most;
}

WordPiece::WordPiece(std::vector<std::string> tokens, WordPieceRules rules)
    : vocabulary_(withSpecials(std::move(tokens), kBertSpecials)),
      rules_(std::move(rules)),
      first_(vocabulary_.find(kBertSpecials.first)),
      last_(vocabulary_.find(kBertSpecials.last)) {
  for (const std::string& token : vocabulary_.tokens())
    longest_piece_ = std::max(longest_piece_, token.size());
  for (const NamedToken& token : rules_.named) {
    if (token.id < 0 || token.id >= vocabulary_.size())
      throw Error(
          "the token " + io::inQuotes(token.name) + " has the id " + std::to_string(token.id),
          "vocabulary", "The last id is " + std::to_string(vocabulary_.size() - 1));
    NamedToken looked = token;
    if (token.folded) looked.name = foldedText(token.name, rules_.text);
    if (!looked.name.empty()) (token.folded ? folded_ : written_).push_back(std::move(looked));
  }
  for (auto* named : {&written_, &folded_})
    std::ranges::stable_sort(*named, std::ranges::greater(),
                             [](const NamedToken& token) { return token.name.size(); });
}

bool WordPiece::readsMask() const {
  return std::ranges::find(rules_.named, mask(), &NamedToken::id) != rules_.named.end();
}

Ids WordPiece::encode(std::string_view text) const {
  Ids ids;
  splitAtNames(text, written_, ids, [&](std::string_view part) {
    if (folded_.empty()) return appendWords(part, ids);
    splitAtNames(foldedText(part, rules_.text), folded_, ids,
                 [&](std::string_view words) { appendWords(words, ids); });
  });
  return ids;
}

void WordPiece::appendWords(std::string_view text, Ids& ids) const {
  splitWordsBy(rules_.text, text, [&](const std::string& word) { appendPieces(word, ids); });
}

void WordPiece::appendPieces(const std::string& word, Ids& ids) const {
  const std::size_t before = ids.size();
  std::string rest = word;
  std::size_t mark = 0;  // bytes of the "##" before the rest
  bool known = !isTooLong(word, rules_.longest_word);
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

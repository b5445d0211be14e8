// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/subword_learning.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "core/data/tokenizer/basic_tokenizer.h"
#include "core/data/tokenizer/pair_merging.h"
#include "core/data/tokenizer/special_tokens.h"
#include "core/data/tokenizer/token_counts.h"
#include "core/data/tokenizer/wordpiece.h"
#include "core/io/utf8.h"

namespace tfm::data {
namespace {

std::vector<std::string> charactersIn(const std::string& word) {
  std::vector<std::string> characters;
  for (const char32_t character : io::decodeUtf8(word))
    characters.push_back(io::encodeUtf8({&character, 1}));
  return characters;
}

/// The characters of the words, most frequent first.
std::vector<CountedToken> countCharacters(std::span<const CountedToken> words) {
  std::unordered_map<std::string, std::int64_t> counts;
  for (const auto& [word, count] : words)
    for (const std::string& character : charactersIn(word)) counts[character] += count;
  return byFrequency(counts);
}

/// What distinguishes the kinds of pieces.
struct Notation {
  const SpecialNames& specials;
  Splitter split;
  std::string_view continuation;  ///< begins all pieces of a word but the first
};

/// The frequent characters by code point, then as continuations where these are marked.
std::vector<std::string> alphabet(std::span<const CountedToken> words, std::int64_t min_count,
                                  std::int64_t room, std::string_view continuation) {
  const std::int64_t forms = continuation.empty() ? 1 : 2;
  std::vector<std::string> letters =
      frequentTokens(countCharacters(words), min_count, room / forms);
  std::sort(letters.begin(), letters.end());
  const std::size_t count = forms == 1 ? 0 : letters.size();
  for (std::size_t i = 0; i < count; ++i) letters.push_back(std::string(continuation) + letters[i]);
  return letters;
}

/// The words as indices into the alphabet, in which the continuations are `shift` places after the
/// characters; words with other characters are dropped.
std::vector<CountedPieces> inLetters(std::span<const CountedToken> words,
                                     const std::vector<std::string>& letters, std::int32_t shift) {
  std::unordered_map<std::string, std::int32_t> places;
  const auto count = static_cast<std::int32_t>(letters.size()) - shift;
  for (std::int32_t i = 0; i < count; ++i) places.emplace(letters[static_cast<std::size_t>(i)], i);

  std::vector<CountedPieces> result;
  for (const auto& [word, occurrences] : words) {
    CountedPieces pieces{{}, occurrences};
    bool known = true;
    for (const std::string& character : charactersIn(word)) {
      const auto place = places.find(character);
      known = known && place != places.end();
      if (known) pieces.pieces.push_back(place->second + (pieces.pieces.empty() ? 0 : shift));
    }
    if (known) result.push_back(std::move(pieces));
  }
  return result;
}

std::vector<std::string> learnPieces(const Notation& notation, const TokenizerConfig& config,
                                     std::span<const std::string> texts) {
  const SpecialNames& specials = notation.specials;
  std::vector<std::string> tokens;
  for (const std::string_view special :
       {specials.pad, specials.unknown, specials.first, specials.last, specials.start})
    if (!special.empty()) tokens.emplace_back(special);
  const std::int64_t room = config.vocabulary_size - static_cast<std::int64_t>(tokens.size());

  std::vector<CountedToken> words = countTokens(texts, notation.split);
  std::erase_if(words, [](const CountedToken& word) { return isTooLong(word.token); });
  const std::vector<std::string> letters =
      alphabet(words, config.least_count, room, notation.continuation);
  const auto shift =
      static_cast<std::int32_t>(notation.continuation.empty() ? 0 : letters.size() / 2);
  PairMerging merging(letters, inLetters(words, letters, shift), notation.continuation);
  const std::int64_t min_count = std::max<std::int64_t>(config.least_count, 1);
  while (static_cast<std::int64_t>(merging.pieces().size()) < room &&
         merging.mergeBest(min_count)) {
  }
  tokens.insert(tokens.end(), merging.pieces().begin(), merging.pieces().end());
  return tokens;
}

}  // namespace

std::vector<std::string> learnBytePairs(const TokenizerConfig& config,
                                        std::span<const std::string> texts) {
  return learnPieces({kBytePairSpecials, splitSpacedWords, ""}, config, texts);
}

std::vector<std::string> learnWordPieces(const TokenizerConfig& config,
                                         std::span<const std::string> texts) {
  return learnPieces({kBertSpecials, splitWords, kContinuation}, config, texts);
}

}  // namespace tfm::data

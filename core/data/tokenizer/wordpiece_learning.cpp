// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/wordpiece_learning.h"

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

/// The frequent characters by code point, then as continuations.
std::vector<std::string> alphabet(std::span<const CountedToken> words, std::int64_t min_count,
                                  std::int64_t room) {
  std::vector<std::string> letters = frequentTokens(countCharacters(words), min_count, room / 2);
  std::sort(letters.begin(), letters.end());
  const std::size_t count = letters.size();
  for (std::size_t i = 0; i < count; ++i)
    letters.push_back(std::string(kContinuation) + letters[i]);
  return letters;
}

/// The words as indices into the alphabet; words with other characters are dropped.
std::vector<CountedPieces> inLetters(std::span<const CountedToken> words,
                                     const std::vector<std::string>& letters) {
  std::unordered_map<std::string, std::int32_t> places;
  const auto count = static_cast<std::int32_t>(letters.size() / 2);
  for (std::int32_t i = 0; i < count; ++i) places.emplace(letters[static_cast<std::size_t>(i)], i);

  std::vector<CountedPieces> result;
  for (const auto& [word, occurrences] : words) {
    CountedPieces pieces{{}, occurrences};
    bool known = true;
    for (const std::string& character : charactersIn(word)) {
      const auto place = places.find(character);
      known = known && place != places.end();
      if (known) pieces.pieces.push_back(place->second + (pieces.pieces.empty() ? 0 : count));
    }
    if (known) result.push_back(std::move(pieces));
  }
  return result;
}

}  // namespace

std::vector<std::string> learnWordPieces(const TokenizerConfig& config,
                                         std::span<const std::string> texts) {
  std::vector<std::string> tokens;
  for (const std::string_view special :
       {kBertSpecials.pad, kBertSpecials.unknown, kBertSpecials.first, kBertSpecials.last})
    tokens.emplace_back(special);
  const std::int64_t room = config.vocabulary_size - static_cast<std::int64_t>(tokens.size());

  std::vector<CountedToken> words = countTokens(texts, basicWords);
  std::erase_if(words, [](const CountedToken& word) { return isTooLong(word.token); });
  const std::vector<std::string> letters = alphabet(words, config.least_count, room);
  PairMerging merging(letters, inLetters(words, letters));
  const std::int64_t min_count = std::max<std::int64_t>(config.least_count, 1);
  while (static_cast<std::int64_t>(merging.pieces().size()) < room &&
         merging.mergeBest(min_count)) {
  }
  tokens.insert(tokens.end(), merging.pieces().begin(), merging.pieces().end());
  return tokens;
}

}  // namespace tfm::data

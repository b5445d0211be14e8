// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/data/tokenizer/pair_merging.h"
#include "core/data/tokenizer/tokenizer.h"

namespace tfm::data {

/// Byte pair encoding of characters (Sennrich et al. 2016): each of the spacedWords() is split into
/// characters, and the pairs of neighbours are merged in the order in which they were learned.
/// Letter case and accents stay, and spaces belong to the tokens: tokens, joined, are the text with
/// single spaces, and can be an answer. A character outside the vocabulary becomes <unknown>, as
/// does a word that is too long (isTooLong()). No text becomes a special token.
class BytePairs final : public Tokenizer {
 public:
  /// Token i has id i. The merges follow from the order of the tokens: each token of several
  /// characters but kMaskToken is a pair of those before it. Throws Error where one is not, unless
  /// there are <pad>, <unknown> and <start>, and the errors of Vocabulary.
  explicit BytePairs(std::vector<std::string> tokens);

  std::string_view name() const override { return tokenizerName(TokenizerKind::BytePair); }
  const Vocabulary& vocabulary() const override { return vocabulary_; }
  Ids encode(std::string_view text) const override;
  /// The text up to the first <pad>, without <start>.
  std::string decode(std::span<const std::int32_t> ids) const override {
    return vocabulary_.decode(ids);
  }

 private:
  /// The pieces of a word after the merges known so far.
  Ids piecesOf(std::string_view word) const;

  Vocabulary vocabulary_;
  std::unordered_map<PiecePair, std::int32_t> merges_;  // to the joined token
};

}  // namespace tfm::data

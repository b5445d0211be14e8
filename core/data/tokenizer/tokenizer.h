// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/data/vocabulary.h"

namespace tfm::data {

/// What a text is cut into: characters, words, or BERT's pieces of words.
enum class TokenizerKind { Character, Word, WordPiece };

/// How a tokenizer is made. Fields that a kind does not use are ignored by it.
struct TokenizerConfig {
  TokenizerKind kind = TokenizerKind::Word;
  std::int64_t vocabulary_size = 4000;  ///< most tokens of a learned vocabulary, specials included
  std::int64_t least_count = 2;         ///< a word or piece that is rarer is unknown
  /// The lines of a vocab.txt, token i in line i; empty: the vocabulary is learned from the texts.
  std::string vocabulary;
  bool operator==(const TokenizerConfig&) const = default;
};

/// Cuts texts into tokens of a fixed vocabulary. Immutable.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// Its pad fills up sequences; its unknown token stands for what it does not hold.
  virtual const Vocabulary& vocabulary() const = 0;
  /// The tokens of a text, without special tokens around it. Unknown parts become the unknown
  /// token. Throws Error for text that is not UTF-8.
  virtual Ids encode(std::string_view text) const = 0;
  /// The text of tokens, as far as the tokens tell: lower case, single spaces.
  virtual std::string decode(std::span<const std::int32_t> ids) const = 0;
  /// Cuts the end off an encoded text of more than `longest` tokens.
  virtual void shorten(Ids& ids, std::int64_t longest) const {
    if (static_cast<std::int64_t>(ids.size()) > longest)
      ids.resize(static_cast<std::size_t>(longest));
  }
};

/// Learns a vocabulary from `texts`, or reads the one given. Throws Error for a vocabulary without
/// the special tokens that the kind needs, and for texts of which nothing can be learned.
std::unique_ptr<Tokenizer> makeTokenizer(const TokenizerConfig& config,
                                         std::span<const std::string> texts);

/// "character", "word", "wordpiece".
std::string_view tokenizerName(TokenizerKind kind);
/// Throws Error naming the kinds there are.
TokenizerKind findTokenizer(std::string_view name);

}  // namespace tfm::data

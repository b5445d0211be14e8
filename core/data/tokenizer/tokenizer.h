// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/vocabulary.h"

namespace tfm::data {

/// What texts are split into: characters, words, BERT's pieces of words, or byte pairs.
enum class TokenizerKind { Character, Word, WordPiece, BytePair };

/// How to make a tokenizer. A kind ignores the fields it does not use.
struct TokenizerConfig {
  TokenizerKind kind = TokenizerKind::Word;
  std::int64_t vocabulary_size = 4000;  ///< maximum size of a learned vocabulary, specials included
  std::int64_t least_count = 2;         ///< rarer words and pieces are unknown
  bool mask = false;                    ///< a learned vocabulary ends with kMaskToken
  /// The content of a vocab.txt, token i in line i; empty: the vocabulary is learned from texts.
  std::string vocabulary;
  std::string rules = {};  ///< see Tokenizer::rules()
  bool operator==(const TokenizerConfig&) const = default;
};

/// Splits texts into tokens of a fixed vocabulary. Immutable.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// That of tokenizerName(), or of a kind that is not learned.
  virtual std::string_view name() const = 0;
  /// How it reads texts where that is not as usual for its kind, as a JSON object (see
  /// WordPieceRules and PipelineTokenizer); else empty.
  virtual std::string rules() const { return {}; }
  /// Has a pad and an unknown token, but for that of a tokenizer.json (see PipelineTokenizer).
  virtual const Vocabulary& vocabulary() const = 0;
  /// Tokens that end an answer, beside the pad.
  virtual const Ids& ends() const {
    static const Ids none;
    return none;
  }
  /// The token that stands for one that a model is to fill in, or -1.
  virtual std::int32_t mask() const;
  /// Whether encode() finds its name in a text.
  virtual bool readsMask() const { return false; }
  /// The tokens of a text. Unknown parts become the unknown token. Throws Error if the text is not
  /// UTF-8.
  virtual Ids encode(std::string_view text) const = 0;
  /// The text of tokens with single spaces.
  virtual std::string decode(std::span<const std::int32_t> ids) const = 0;
  /// Takes off what encode() puts around a text, where decode() does not leave it out.
  virtual void stripAround(Ids&) const {}
  /// Truncates an encoded text to `longest` tokens.
  virtual void shorten(Ids& ids, std::int64_t longest) const {
    if (static_cast<std::int64_t>(ids.size()) > longest)
      ids.resize(static_cast<std::size_t>(longest));
  }
};

/// Learns a vocabulary from `texts`, or uses the one in the config. Throws Error if a required
/// special token is missing or nothing can be learned from the texts.
std::unique_ptr<Tokenizer> makeTokenizer(const TokenizerConfig& config,
                                         std::span<const std::string> texts);

/// The tokens of a vocab.txt: token i is line i, which ends with LF or CRLF.
std::vector<std::string> vocabularyLines(std::string_view text);
/// The content of a vocab.txt: token i in line i.
std::string vocabularyText(const Vocabulary& vocabulary);

/// The name of a row of a token table that no file names.
std::string rowWithoutToken(std::int64_t id);

/// "character", "word", "wordpiece", "bpe".
std::string_view tokenizerName(TokenizerKind kind);
/// Whether its tokens give back the text, letter by letter, so that answers can be written.
bool canWrite(TokenizerKind kind);
/// Throws Error listing the kinds if there is none with this name.
TokenizerKind findTokenizer(std::string_view name);

}  // namespace tfm::data

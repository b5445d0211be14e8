// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/tokenizer/tokenizer.h"
#include "core/data/tokenizer/wordpiece_rules.h"

namespace tfm::data {

/// The prefix of pieces that continue a word: "playing" is "play" and "##ing".
inline constexpr std::string_view kContinuation = "##";

/// Whether a word has more than `longest` characters. Such words are not split into pieces.
bool isTooLong(std::string_view word, std::int64_t longest = WordPieceRules{}.longest_word);

/// BERT's tokenizer (Devlin et al. 2019; Wu et al. 2016, section 4.1). The names of tokens that the
/// rules have are those tokens, the longest of several; each of the basicWords() of the text
/// between them is split greedily into the longest pieces in the vocabulary, from the front. A word
/// that is too long or cannot be split completely becomes [UNK]. Without such names, the text
/// "[SEP]" is three words: no text becomes a special token.
class WordPiece final : public Tokenizer {
 public:
  /// Token i has id i. Throws Error unless there are [PAD] and [UNK] and all tokens of the rules,
  /// and the errors of Vocabulary.
  explicit WordPiece(std::vector<std::string> tokens, WordPieceRules rules = {});

  std::string_view name() const override { return tokenizerName(TokenizerKind::WordPiece); }
  std::string rules() const override { return toJson(rules_); }
  const Vocabulary& vocabulary() const override { return vocabulary_; }
  bool readsMask() const override;
  Ids encode(std::string_view text) const override;
  /// The text up to the first [PAD], without [CLS] and [SEP].
  std::string decode(std::span<const std::int32_t> ids) const override;

  /// [CLS], the first `longest` - 2 pieces, [SEP]: at most `longest` >= 2 tokens. Throws Error if
  /// the vocabulary has no [CLS] or [SEP].
  Ids encodeWithSpecials(std::string_view text, std::int64_t longest) const;

 private:
  void appendWords(std::string_view text, Ids& ids) const;
  void appendPieces(const std::string& word, Ids& ids) const;

  Vocabulary vocabulary_;
  WordPieceRules rules_;
  std::vector<NamedToken> written_;  // of the rules, longest name first
  std::vector<NamedToken> folded_;
  std::int32_t first_;             // [CLS], or -1
  std::int32_t last_;              // [SEP]
  std::size_t longest_piece_ = 0;  // in bytes
};

}  // namespace tfm::data

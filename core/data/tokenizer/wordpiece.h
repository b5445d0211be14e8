// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/tokenizer/tokenizer.h"

namespace tfm::data {

/// What continues a word begins with this: "playing" is "play" and "##ing".
inline constexpr std::string_view kContinuation = "##";

/// Whether a word has more than the 100 characters up to which words are cut into pieces.
bool isTooLong(std::string_view word);

/// Uncased BERT's tokenizer (Devlin et al. 2019; Wu et al. 2016, section 4.1). The basic rules give
/// words; of each word the longest piece that the vocabulary holds is cut off in front, again and
/// again. A word that is too long, or with a rest of which no piece is held, is [UNK] as
/// a whole. The text "[SEP]" is three words: no text becomes a special token.
class WordPiece final : public Tokenizer {
 public:
  /// Token i has id i. Throws Error for tokens without [PAD] and [UNK] and for those that
  /// Vocabulary refuses.
  explicit WordPiece(std::vector<std::string> tokens);

  const Vocabulary& vocabulary() const override { return vocabulary_; }
  Ids encode(std::string_view text) const override;
  /// Up to the first [PAD], without [CLS] and [SEP].
  std::string decode(std::span<const std::int32_t> ids) const override;

  /// [CLS], the first `longest` - 2 pieces, [SEP]: at most `longest` >= 2 tokens. Throws Error for
  /// a vocabulary without [CLS] and [SEP].
  Ids encodeWithSpecials(std::string_view text, std::int64_t longest) const;

 private:
  void appendPieces(const std::string& word, Ids& ids) const;

  Vocabulary vocabulary_;
  std::int32_t first_;             // [CLS], -1 where there is none
  std::int32_t last_;              // [SEP]
  std::size_t longest_piece_ = 0;  // in bytes
};

}  // namespace tfm::data

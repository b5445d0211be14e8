// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/tokenizer/wordpiece.h"

namespace tfm::data {

/// BERT's tokenizer: [CLS], the pieces of the text, [SEP].
class EncoderTokens final : public Tokenizer {
 public:
  static constexpr std::string_view kName = "bert";

  /// Token i has id i. Throws Error unless there are [PAD], [UNK], [CLS] and [SEP].
  explicit EncoderTokens(std::vector<std::string> tokens, WordPieceRules rules = {});

  std::string_view name() const override { return kName; }
  std::string rules() const override { return pieces_.rules(); }
  const Vocabulary& vocabulary() const override { return pieces_.vocabulary(); }
  bool readsMask() const override { return pieces_.readsMask(); }
  /// Empty for a text without pieces.
  Ids encode(std::string_view text) const override;
  std::string decode(std::span<const std::int32_t> ids) const override;
  /// Keeps [SEP] as the last token.
  void shorten(Ids& ids, std::int64_t longest) const override;

 private:
  WordPiece pieces_;
};

/// With the vocabulary and the rules that the files in an encoder's folder describe. Throws the
/// errors of readEncoderVocabulary().
std::unique_ptr<EncoderTokens> encoderTokens(const std::filesystem::path& folder);
/// With `vocabulary`, the content of a vocab.txt, and these rules (WordPieceRules as JSON, or
/// empty). `folder`: named in errors.
std::unique_ptr<EncoderTokens> encoderTokens(const std::filesystem::path& folder,
                                             const std::string& vocabulary,
                                             const std::string& rules);

}  // namespace tfm::data

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/data/tokenizer/wordpiece.h"

namespace tfm::data {

/// A text as a BERT reads it: [CLS], its pieces, [SEP].
class EncoderTokens final : public Tokenizer {
 public:
  /// Token i has id i. Throws Error for tokens without [PAD], [UNK], [CLS] and [SEP].
  explicit EncoderTokens(std::vector<std::string> tokens);

  const Vocabulary& vocabulary() const override { return pieces_.vocabulary(); }
  /// Nothing for a text without a piece.
  Ids encode(std::string_view text) const override;
  std::string decode(std::span<const std::int32_t> ids) const override;
  /// Keeps [SEP] as the last one.
  void shorten(Ids& ids, std::int64_t longest) const override;

 private:
  WordPiece pieces_;
};

/// With the vocab.txt of an encoder's folder, or with its lines where they are kept elsewhere.
/// Throws Error (see readPretrainedVocabulary()).
std::unique_ptr<EncoderTokens> encoderTokens(const std::filesystem::path& folder,
                                             const std::string& vocabulary = {});

}  // namespace tfm::data

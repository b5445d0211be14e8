// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/tokenizer/pipeline/added_tokens.h"
#include "core/data/tokenizer/pipeline/piece_model.h"
#include "core/data/tokenizer/pipeline/pre_tokenizer.h"
#include "core/data/tokenizer/pipeline/token_decoder.h"
#include "core/data/tokenizer/tokenizer.h"

namespace tfm::data {

/// What a tokenizer.json does not say of a model's tokens; -1: there is none.
struct TokenRoles {
  Ids ends = {};  ///< see Tokenizer
  std::int32_t pad = -1;
  std::int32_t start = -1;  ///< what a decoder reads before the first token of its answer
  /// Names for the token that a model is to fill in, of which the first that is a token counts.
  std::vector<std::string> mask_names = {};
};

/// A tokenizer described by a tokenizer.json of the tokenizers library (version 0.23), with the
/// same tokens for every text. A text goes through these steps: added tokens are cut out; what is
/// between them is normalized; it is cut into pieces; the model finds the tokens of each piece; the
/// tokens that begin and end a text are put around them.
///
/// The vocabulary has the tokens as people read them: with spaces, and bytes that are no text by
/// themselves as <0xE2>.
class PipelineTokenizer final : public Tokenizer {
 public:
  static constexpr std::string_view kName = "pipeline";

  /// `tokens`: those of vocabulary(). `rules`: as rules() says. Throws Error naming `where`.
  PipelineTokenizer(std::vector<std::string> tokens, std::string rules, const std::string& where);

  std::string_view name() const override { return kName; }
  /// A tokenizer.json without the vocabulary, but with the scores of its tokens, in "ends",
  /// "pad", "start" and "mask" the tokens of TokenRoles, and in "names" the names of tokens that do
  /// not follow from those of vocabulary(): "" for one that no text has.
  std::string rules() const override { return rules_; }
  /// Has an unknown token only if the model has one, and a pad and a start only as roles.
  const Vocabulary& vocabulary() const override { return vocabulary_; }
  std::int32_t mask() const override { return mask_; }
  bool readsMask() const override { return mask_ >= 0; }
  const Ids& ends() const override { return ends_; }
  /// With the tokens that begin and end a text.
  Ids encode(std::string_view text) const override;
  /// Without them.
  Ids encodePlain(std::string_view text) const;
  /// The text of tokens, special ones by their names. Bytes that are no text become U+FFFD.
  std::string decode(std::span<const std::int32_t> ids) const override;
  void stripAround(Ids& ids) const override;
  /// Keeps the tokens that end a text.
  void shorten(Ids& ids, std::int64_t longest) const override;

 private:
  std::string rules_;
  Vocabulary vocabulary_;
  std::unique_ptr<const TokenNames> names_;
  std::unique_ptr<const AddedTokens> added_;
  PreTokenizer cut_;
  PieceModel model_;
  TokenDecoder decode_;
  Ids first_, last_;  // around each text
  Ids ends_;
  std::int32_t mask_ = -1;
};

/// The other way round: a tokenizer.json of the vocabulary and rules of a PipelineTokenizer, which
/// the library reads as we do, but for tokens that no text has here: there, their names stand for
/// them. Throws the errors of the constructor.
std::string pipelineFile(const Vocabulary& vocabulary, const std::string& rules);

/// Reads a tokenizer.json. `rows`: of the model's token table, which may have more rows than the
/// file has tokens; 0: as many. Throws Error naming `where` for a step or
/// setting that is not read, and for more tokens than rows.
std::unique_ptr<PipelineTokenizer> parsePipelineTokenizer(std::string_view json,
                                                          const std::string& where,
                                                          std::int64_t rows = 0,
                                                          const TokenRoles& roles = {});

}  // namespace tfm::data

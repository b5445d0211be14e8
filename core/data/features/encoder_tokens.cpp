// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/features/encoder_tokens.h"

#include <limits>
#include <utility>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/data/features/tokenizer_files.h"

namespace tfm::data {

EncoderTokens::EncoderTokens(std::vector<std::string> tokens, WordPieceRules rules)
    : pieces_(std::move(tokens), std::move(rules)) {
  encode(".");  // throws if the vocabulary has no [CLS] or [SEP]
}

Ids EncoderTokens::encode(std::string_view text) const {
  Ids ids = pieces_.encodeWithSpecials(text, std::numeric_limits<std::int32_t>::max());
  if (ids.size() == 2) ids.clear();
  return ids;
}

std::string EncoderTokens::decode(std::span<const std::int32_t> ids) const {
  return pieces_.decode(ids);
}

void EncoderTokens::shorten(Ids& ids, std::int64_t longest) const {
  check(longest >= 2, "[CLS] and [SEP] must fit");
  if (std::int64_t(ids.size()) <= longest) return;
  ids.erase(ids.begin() + longest - 1, ids.end() - 1);
}

std::unique_ptr<EncoderTokens> encoderTokens(const std::filesystem::path& folder) {
  EncoderVocabulary read = readEncoderVocabulary(folder);
  return std::make_unique<EncoderTokens>(std::move(read.tokens), std::move(read.rules));
}

std::unique_ptr<EncoderTokens> encoderTokens(const std::filesystem::path& folder,
                                             const std::string& vocabulary,
                                             const std::string& rules) {
  try {
    return std::make_unique<EncoderTokens>(
        vocabularyLines(vocabulary),
        wordPieceRulesFromJson(rules, "task.tokenizer_rules"));
  } catch (const Error& error) {
    throw Error(error.problem(), folder.string(), error.hint());
  }
}

}  // namespace tfm::data

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/features/encoder_tokens.h"

#include <limits>
#include <utility>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/model/pretrained/pretrained_encoder.h"

namespace tfm::data {

EncoderTokens::EncoderTokens(std::vector<std::string> tokens) : pieces_(std::move(tokens)) {
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

std::unique_ptr<EncoderTokens> encoderTokens(const std::filesystem::path& folder,
                                             const std::string& vocabulary) {
  TokenizerConfig config;
  config.kind = TokenizerKind::WordPiece;
  config.vocabulary = vocabulary.empty() ? readPretrainedVocabulary(folder) : vocabulary;
  try {
    return std::make_unique<EncoderTokens>(makeTokenizer(config, {})->vocabulary().tokens());
  } catch (const Error& error) {
    throw Error(error.problem(), (folder / "vocab.txt").string(), error.hint());
  }
}

}  // namespace tfm::data

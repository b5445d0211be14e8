// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/row_tokens.h"

namespace tfm::train {

std::vector<std::string> rowTokens(const ParameterInfo& parameter, const ModelConfig& config,
                                   const data::TextCodec& codec, data::Framing framing) {
  const ParameterTag& tag = parameter.tag;
  const bool reads = tag.part == ParameterPart::Embedding;
  const bool answers = tag.part == ParameterPart::Output && tag.site.stack == Stack::None;
  if (!reads && !answers) return {};
  // What a decoder with cross-attention reads are its own answers.
  const bool written = answers || (tag.site.stack == Stack::Decoder && config.hasCrossAttention());
  const data::Vocabulary& vocabulary =
      written ? data::outputVocabulary(codec, framing) : data::inputVocabulary(codec, framing);
  if (parameter.shape.front().size() != vocabulary.size()) return {};
  return vocabulary.tokens();
}

}  // namespace tfm::train

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/row_tokens.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/model/build_program.h"
#include "core/observe/indexed_name.h"

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

std::string withTokenIndices(const std::string& name, const ModelState& state,
                             const data::TextCodec& codec, data::Framing framing,
                             const std::string& where) {
  observe::IndexedName written = observe::indexedNameIn(name, where);
  if (!written.token) return name;
  std::vector<std::string> tokens;
  const ParameterInfo* parameter = state.layout.find(written.name);
  if (written.name == names::kOutput || written.name == names::kProbabilities)
    tokens = data::outputVocabulary(codec, framing).tokens();
  else if (parameter != nullptr && parameter->shape.size() == 1)
    tokens = rowTokens(*parameter, state.config, codec, framing);
  if (tokens.empty())
    throw Error("the last index of '" + written.name + "' counts no tokens", where,
                "Write a whole number; the columns of output count tokens: output[1, 'u']");
  const auto found = std::ranges::find(tokens, *written.token);
  if (found == tokens.end())
    throw Error("'" + *written.token + "' is no token of the output", where,
                "Write one token in quotes, or its number; tokenize shows both");
  written.at.push_back(found - tokens.begin());
  written.token.reset();
  return observe::textOf(written);
}

}  // namespace tfm::train

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/special_tokens.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"

namespace tfm::data {
namespace {

bool holds(const std::vector<std::string>& tokens, std::string_view name) {
  return std::find(tokens.begin(), tokens.end(), name) != tokens.end();
}

/// The hint for tokens without `missing`, which may be for another kind of tokenizer.
std::string hintFor(const std::vector<std::string>& tokens, std::string_view missing) {
  struct Kind {
    const SpecialNames& names;
    const char* tokenizers;
  };
  for (const Kind& kind : {Kind{kBertSpecials, "wordpiece"}, {kPlainSpecials, "word or character"}})
    if (holds(tokens, kind.names.pad) && holds(tokens, kind.names.unknown))
      return "It has " + std::string(kind.names.pad) + " and " + std::string(kind.names.unknown) +
             ": choose the tokenizer " + kind.tokenizers + ", for which it was made.";
  return "One line must be " + std::string(missing) + " and nothing else.";
}

std::int32_t idOf(const std::vector<std::string>& tokens, std::string_view name) {
  const auto found = std::find(tokens.begin(), tokens.end(), name);
  if (found == tokens.end())
    throw Error("the vocabulary has no token " + std::string(name), "vocabulary",
                hintFor(tokens, name));
  return static_cast<std::int32_t>(found - tokens.begin());
}

}  // namespace

Vocabulary withSpecials(std::vector<std::string> tokens, const SpecialNames& names) {
  const Vocabulary::Specials specials{.start = names.start.empty() ? -1 : idOf(tokens, names.start),
                                      .pad = idOf(tokens, names.pad),
                                      .unknown = idOf(tokens, names.unknown)};
  return {std::move(tokens), specials};
}

Ids ordinaryIds(const Vocabulary& vocabulary) {
  Ids ids;
  for (std::int32_t id = 0; id < vocabulary.size(); ++id) {
    const std::string_view token = vocabulary.token(id);
    const bool marks =
        token == kMaskToken || token == kBertSpecials.first || token == kBertSpecials.last;
    if (!marks && !vocabulary.isSpecial(id)) ids.push_back(id);
  }
  return ids;
}

}  // namespace tfm::data

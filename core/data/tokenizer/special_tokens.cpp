// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/special_tokens.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"

namespace tfm::data {
namespace {

std::int32_t idOf(const std::vector<std::string>& tokens, std::string_view name) {
  const auto found = std::find(tokens.begin(), tokens.end(), name);
  if (found == tokens.end())
    throw Error("the vocabulary has no token " + std::string(name), "vocabulary",
                "One line must be " + std::string(name) + " and nothing else.");
  return static_cast<std::int32_t>(found - tokens.begin());
}

}  // namespace

Vocabulary withSpecials(std::vector<std::string> tokens, const SpecialNames& names) {
  const Vocabulary::Specials specials{.pad = idOf(tokens, names.pad),
                                      .unknown = idOf(tokens, names.unknown)};
  return {std::move(tokens), specials};
}

}  // namespace tfm::data

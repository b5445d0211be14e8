// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tfm::data {

/// Rewrites a text in UTF-8 before it is cut into pieces.
using Normalizer = std::function<std::string(std::string)>;

/// The "normalizer" of a tokenizer.json: Sequence, NFC, NFD, NFKC, NFKD, Lowercase, StripAccents,
/// Strip, Replace, Prepend, BertNormalizer or Precompiled, as in the tokenizers library; null
/// leaves texts as they are. Throws Error naming `where` for another one, or for a setting of it
/// that is not read.
Normalizer normalizerFrom(const nlohmann::json& object, const std::string& where);

}  // namespace tfm::data

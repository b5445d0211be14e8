// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace tfm::data {

/// A piece of a text, within which a tokenizer looks for its tokens.
struct TextPiece {
  std::string text;
  bool first = false;  ///< it begins the whole text
};

/// Cuts pieces into smaller ones.
using PreTokenizer = std::function<void(std::vector<TextPiece>&)>;

/// The "pre_tokenizer" of a tokenizer.json: Sequence, ByteLevel, Split, Digits, Metaspace,
/// Whitespace, WhitespaceSplit, Punctuation or BertPreTokenizer, as in the tokenizers library; null
/// leaves a text in one piece. Throws Error as normalizerFrom().
PreTokenizer preTokenizerFrom(const nlohmann::json& object, const std::string& where);

}  // namespace tfm::data

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/tokenizer/basic_tokenizer.h"

namespace tfm::data {

/// A token whose name stands for it wherever it is in a text: "[MASK]" is one token.
struct NamedToken {
  std::string name;
  std::int32_t id = 0;
  /// The name is looked for after lower case and accents, as the rules say; else as it is written.
  bool folded = false;
  bool operator==(const NamedToken&) const = default;
};

/// How a WordPiece tokenizer reads a text. By default as uncased BERT, and no name is a token.
struct WordPieceRules {
  TextRules text;
  std::int64_t longest_word = 100;  ///< in characters; longer words are unknown
  std::vector<NamedToken> named;
  bool operator==(const WordPieceRules&) const = default;
};

/// As a JSON object; empty for the default.
std::string toJson(const WordPieceRules& rules);
/// Parses the output of toJson(); an empty text is the default. Throws Error naming `where` and the
/// field.
WordPieceRules wordPieceRulesFromJson(std::string_view json, const std::string& where);

}  // namespace tfm::data

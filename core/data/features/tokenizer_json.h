// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/data/tokenizer/pipeline/tokenizer_folder.h"

namespace tfm::io {
class ObjectReader;
}

namespace tfm::data {

/// A token that a tokenizer's files list apart from its vocabulary, or a special one of it.
struct AddedToken {
  std::string content;
  std::int64_t id = 0;
  bool normalized = false;  ///< it is looked for after lower case and accents
  bool special = false;
};

/// Reads {"content": ..., "single_word": false, ...}. Throws Error for what is not read.
AddedToken addedTokenFrom(const nlohmann::json& entry, const std::string& where);

/// Reads past the members of an object on which no token depends. Throws Error for any other that
/// was not read: it might change the tokens.
void refuseOtherSettings(io::ObjectReader& reader);

/// What a tokenizer.json says, the file of Hugging Face's tokenizers library.
struct TokenizerJson {
  std::vector<std::string> tokens;  ///< by id; empty where there is none
  std::vector<AddedToken> added;
  bool lower_case = true;
  bool strip_accents = true;
  bool split_ideographs = true;
  std::int64_t longest_word = 100;
  std::string unknown;     ///< the token of what is unknown
  AddedToken first, last;  ///< around each text
};

/// Throws Error naming the setting unless the file describes BERT's tokenizer: BertNormalizer,
/// BertPreTokenizer, WordPiece with the prefix ##, one token before a text and one after it.
TokenizerJson readTokenizerJson(const std::filesystem::path& path);

}  // namespace tfm::data

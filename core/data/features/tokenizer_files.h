// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/data/tokenizer/wordpiece_rules.h"

namespace tfm::data {

/// The tokenizer that the files in an encoder's folder describe.
struct EncoderVocabulary {
  std::vector<std::string> tokens;  ///< token i has id i; special ones have the names of BERT's
  WordPieceRules rules;             ///< also the names of special and added tokens
  std::int64_t longest = 0;         ///< the most tokens of a text
  std::vector<std::string> notes;   ///< what was not read, a sentence each
};

/// Reads vocab.txt (one token per line), tokenizer.json or both, and, where they are there,
/// tokenizer_config.json, special_tokens_map.json and added_tokens.json, as the transformers
/// library writes and reads them. Throws Error naming the file and the setting if two files
/// disagree, if there are more tokens than the encoder's config.json says, if a setting asks for
/// another tokenizer than BERT's, and if the encoder reads numbers, not texts.
EncoderVocabulary readEncoderVocabulary(const std::filesystem::path& folder);

}  // namespace tfm::data

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/data/tokenizer/tokenizer.h"

namespace tfm::data {

// Tokenizers that look up whole words or characters. Both need the tokens "<pad>" and "<unknown>";
// learned vocabularies begin with these, then the parts by frequency.

/// Words, see basicWords().
std::unique_ptr<Tokenizer> makeWordTokenizer(std::vector<std::string> tokens);
std::vector<std::string> learnWords(const TokenizerConfig& config,
                                    std::span<const std::string> texts);

/// Characters, see basicCharacters(); the space is one of them.
std::unique_ptr<Tokenizer> makeCharacterTokenizer(std::vector<std::string> tokens);
std::vector<std::string> learnCharacters(const TokenizerConfig& config,
                                         std::span<const std::string> texts);

}  // namespace tfm::data

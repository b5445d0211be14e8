// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/data/tokenizer/tokenizer.h"

namespace tfm::data {

// Tokenizers that look each part of a text up as a whole. Both need the tokens "<pad>" and
// "<unknown>"; learning puts these first, then the parts by frequency.

/// Words by the basic rules.
std::unique_ptr<Tokenizer> makeWordTokenizer(std::vector<std::string> tokens);
std::vector<std::string> learnWords(const TokenizerConfig& config,
                                    std::span<const std::string> texts);

/// Characters, lower case and without accents, the space among them.
std::unique_ptr<Tokenizer> makeCharacterTokenizer(std::vector<std::string> tokens);
std::vector<std::string> learnCharacters(const TokenizerConfig& config,
                                         std::span<const std::string> texts);

}  // namespace tfm::data

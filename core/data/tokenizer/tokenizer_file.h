// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/data/vocabulary.h"

namespace tfm::data {

/// A tokenizer.json with which the tokenizers library reads texts as a tokenizer does, given by its
/// name (empty: single characters), rules (Tokenizer::rules()) and vocabulary; empty for one that
/// has no such form: words and byte pairs that were learned here. The names of special tokens stand
/// for them there, and characters that are not in the vocabulary are left out. `last`: the tokens
/// after each text, of single characters.
std::string tokenizerFile(std::string_view name, const std::string& rules,
                          const Vocabulary& vocabulary, const Ids& last = {});

}  // namespace tfm::data

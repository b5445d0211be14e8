// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace tfm::test {

/// As many lines as the vocabulary of uncased BERT has, 30,522: the tokens that
/// tests/goldens/tokenizer.json needs stand in their own lines, all others are [unused N].
std::vector<std::string> bertVocabulary();

}  // namespace tfm::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace tfm::test {

/// The vocabulary of uncased BERT as far as tests/goldens/tokenizer.json needs it: its 30,522
/// lines, most of them placeholders that no text contains.
std::vector<std::string> bertVocabulary();

}  // namespace tfm::test

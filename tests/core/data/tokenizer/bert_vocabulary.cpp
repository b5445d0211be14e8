// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/data/tokenizer/bert_vocabulary.h"

#include "tests/core/golden.h"

namespace tfm::test {

std::vector<std::string> bertVocabulary() {
  const Golden golden = Golden::read("tokenizer");
  std::vector<std::string> tokens(std::size_t(golden.at("vocabulary_size").number()));
  for (std::size_t id = 0; id < tokens.size(); ++id)
    tokens[id] = "[unused " + std::to_string(id) + "]";
  const Golden known = golden.at("tokens");
  for (std::size_t i = 0; i < known.size(); ++i)
    tokens.at(std::size_t(known.at(i).at(std::size_t(0)).number())) =
        known.at(i).at(std::size_t(1)).text();
  return tokens;
}

}  // namespace tfm::test

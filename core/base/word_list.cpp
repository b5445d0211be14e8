// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/word_list.h"

namespace tfm {

std::string wordList(std::span<const std::string> words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 < words.size() ? ", " : ' ' + std::string(last) + ' ';
    text += words[i];
  }
  return text;
}

}  // namespace tfm

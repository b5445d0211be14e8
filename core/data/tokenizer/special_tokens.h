// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/data/vocabulary.h"

namespace tfm::data {

/// What a kind of tokenizer calls its special tokens.
struct SpecialNames {
  std::string_view pad;
  std::string_view unknown;
  std::string_view first;  ///< in front of a whole text; empty where there is none
  std::string_view last;   ///< behind it
};

inline constexpr SpecialNames kPlainSpecials{"<pad>", "<unknown>", "", ""};
inline constexpr SpecialNames kBertSpecials{"[PAD]", "[UNK]", "[CLS]", "[SEP]"};

/// The vocabulary of these tokens, its pad and unknown found by name. Throws Error for one that is
/// missing and for tokens that Vocabulary refuses.
Vocabulary withSpecials(std::vector<std::string> tokens, const SpecialNames& names);

}  // namespace tfm::data

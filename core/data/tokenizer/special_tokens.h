// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/data/vocabulary.h"

namespace tfm::data {

/// The special tokens of a kind of tokenizer.
struct SpecialNames {
  std::string_view pad;
  std::string_view unknown;
  std::string_view first;  ///< before a text; empty for none
  std::string_view last;   ///< after a text
  std::string_view start;  ///< begins an answer; empty: the tokenizer only reads
};

inline constexpr SpecialNames kPlainSpecials{"<pad>", "<unknown>", "", "", ""};
inline constexpr SpecialNames kBertSpecials{"[PAD]", "[UNK]", "[CLS]", "[SEP]", ""};
inline constexpr SpecialNames kBytePairSpecials{"<pad>", "<unknown>", "", "", "<start>"};

/// Stands for a token that a model is to fill in, in every kind of vocabulary (Devlin et al. 2019,
/// section 3.1). No tokenizer makes it from a text, unless its rules name it (WordPieceRules).
inline constexpr std::string_view kMaskToken = "[MASK]";

/// The ids of the ordinary tokens: none that stands for padding, for something unknown or hidden,
/// or for the ends of a text.
Ids ordinaryIds(const Vocabulary& vocabulary);

/// A vocabulary of these tokens, with pad, unknown and start found by name. Throws Error if one is
/// missing, and the errors of Vocabulary.
Vocabulary withSpecials(std::vector<std::string> tokens, const SpecialNames& names);

}  // namespace tfm::data

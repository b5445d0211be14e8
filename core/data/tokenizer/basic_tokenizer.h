// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tfm::data {

// The basic tokenizer of uncased BERT (Devlin et al. 2019, tokenization.py of the released code):
//  1. U+0000, U+FFFD, control and private-use characters are dropped, except tab, line feed and
//     carriage return, which are white space like all separators;
//  2. lower case, one code point at a time as in Hugging Face's tokenizers (a final Σ is σ), then
//     Normalization Form D without nonspacing marks: É is e;
//  3. words end at white space; punctuation (P* and all ASCII symbols, e.g. $ and +) and CJK
//     ideographs are words of one character each.

/// What of these rules holds. Encoders that are no uncased BERT leave some of them out.
struct TextRules {
  bool lower_case = true;
  bool strip_accents = true;
  bool split_ideographs = true;  ///< CJK ideographs are words of one character each
  bool operator==(const TextRules&) const = default;
};

/// Whether a character is one of rule 3's ideographs.
bool isIdeograph(char32_t character);
/// Whether a character is always a word by rule 3.
bool standsAlone(char32_t character, bool split_ideographs = true);

/// Called with one part of a text after the other.
using PartVisitor = std::function<void(std::string part)>;

/// The words of a text by rules 1 to 3. Throws Error if the text is not UTF-8.
void splitWords(std::string_view text, const PartVisitor& visit);
std::vector<std::string> basicWords(std::string_view text);
/// The same by those of the rules that hold.
void splitWordsBy(const TextRules& rules, std::string_view text, const PartVisitor& visit);

/// A text by those of rules 1 and 2 that hold, as UTF-8; white space becomes spaces. Its words are
/// those of the text itself. Throws Error if the text is not UTF-8.
std::string foldedText(std::string_view text, const TextRules& rules);

/// The words of a text by rules 1 and 3, each with the space before it, if any: joined, they are
/// the text with single spaces and none at the ends. Throws Error if the text is not UTF-8.
void splitSpacedWords(std::string_view text, const PartVisitor& visit);
std::vector<std::string> spacedWords(std::string_view text);

/// The characters of a text by rules 1 and 2; white space becomes single spaces, none at the ends.
/// Throws Error if the text is not UTF-8.
void splitCharacters(std::string_view text, const PartVisitor& visit);
std::vector<std::string> basicCharacters(std::string_view text);

}  // namespace tfm::data

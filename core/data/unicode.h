// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tfm::data {

// Properties of code points from the Unicode Character Database.

/// General category Cc, Cf or Co: control, format and private-use characters.
bool isControl(char32_t character);
/// General category Zs, Zl or Zp.
bool isSeparator(char32_t character);
/// General category P*.
bool isPunctuation(char32_t character);
/// General category Mn: nonspacing marks, such as accents.
bool isNonspacingMark(char32_t character);
/// The simple lowercase mapping, without the special case of a final sigma.
char32_t lowerCase(char32_t character);
/// General category N*: digits, Roman numerals, fractions.
bool isNumeric(char32_t character);
/// Property White_Space: tab to carriage return, next line and all separators.
bool isWhiteSpace(char32_t character);
/// A letter, mark, decimal digit, letter number or connector, or U+200C or U+200D: \w of regular
/// expressions (UTS 18, annex C).
bool isWordCharacter(char32_t character);
/// Normalization Form D: é becomes e and an accent, 한 becomes three jamo.
std::u32string decomposed(std::u32string_view text);

/// The normalization forms of Unicode (UAX 15): decomposed or composed, with compatibility
/// characters (ﬁ, ²) kept or replaced.
enum class UnicodeForm { D, C, KD, KC };
/// A text in UTF-8 in that form. Throws Error if it is not UTF-8.
std::string normalized(std::string_view text, UnicodeForm form);
/// The user-perceived characters of a text in UTF-8 (UAX 29, extended grapheme clusters), as parts
/// of it. Throws Error if it is not UTF-8.
std::vector<std::string_view> graphemes(std::string_view text);

}  // namespace tfm::data

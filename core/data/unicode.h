// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace tfm::data {

// Properties of code points, as the Unicode Character Database has them.

/// General category Cc, Cf or Co: control and format characters, and those for private use.
bool isControl(char32_t character);
/// General category Zs, Zl or Zp.
bool isSeparator(char32_t character);
/// General category P*.
bool isPunctuation(char32_t character);
/// General category Mn: a mark that takes no space of its own, such as an accent.
bool isNonspacingMark(char32_t character);
/// The simple mapping, code point by code point: a final sigma is no special case.
char32_t lowerCase(char32_t character);
/// Normalization Form D: é becomes e and an accent, 한 three jamo.
std::u32string decomposed(std::u32string_view text);

}  // namespace tfm::data

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

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
/// Normalization Form D: é becomes e and an accent, 한 becomes three jamo.
std::u32string decomposed(std::u32string_view text);

}  // namespace tfm::data

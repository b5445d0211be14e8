// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/cleaning.h"

#include "core/data/unicode.h"
#include "core/io/utf8.h"

namespace tfm::data {
namespace {

constexpr std::u32string_view kLineBreak = U"<br />";

/// What Python's \s matches.
bool isSpace(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 ||
         (c > 0x85 && isSeparator(c));
}

bool isKept(char32_t c) { return (c >= U'a' && c <= U'z') || (c >= U'0' && c <= U'9'); }

}  // namespace

std::string cleanText(std::string_view text) {
  std::u32string characters = io::decodeUtf8(text, "text");
  for (char32_t& character : characters) character = lowerCase(character);

  std::string result;
  bool gap = false;
  for (std::u32string_view rest = characters; !rest.empty();) {
    const bool line_break = rest.starts_with(kLineBreak);
    const char32_t character = rest.front();
    rest.remove_prefix(line_break ? kLineBreak.size() : 1);
    if (line_break || isSpace(character)) {
      gap = true;
    } else if (isKept(character)) {
      if (gap && !result.empty()) result += ' ';
      gap = false;
      result += static_cast<char>(character);
    }
  }
  return result;
}

}  // namespace tfm::data

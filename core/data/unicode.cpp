// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/unicode.h"

#include <utf8proc.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "core/base/error.h"
#include "core/io/utf8.h"

namespace tfm::data {
namespace {

utf8proc_category_t category(char32_t character) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(character));
}

}  // namespace

bool isControl(char32_t character) {
  const auto kind = category(character);
  return kind == UTF8PROC_CATEGORY_CC || kind == UTF8PROC_CATEGORY_CF ||
         kind == UTF8PROC_CATEGORY_CO;
}

bool isSeparator(char32_t character) {
  const auto kind = category(character);
  return kind >= UTF8PROC_CATEGORY_ZS && kind <= UTF8PROC_CATEGORY_ZP;
}

bool isPunctuation(char32_t character) {
  const auto kind = category(character);
  return kind >= UTF8PROC_CATEGORY_PC && kind <= UTF8PROC_CATEGORY_PO;
}

bool isNonspacingMark(char32_t character) { return category(character) == UTF8PROC_CATEGORY_MN; }

bool isNumeric(char32_t character) {
  const auto kind = category(character);
  return kind >= UTF8PROC_CATEGORY_ND && kind <= UTF8PROC_CATEGORY_NO;
}

bool isWhiteSpace(char32_t character) {
  const bool control = (character >= U'\t' && character <= U'\r') || character == 0x85;
  return control || isSeparator(character);
}

bool isWordCharacter(char32_t character) {
  const auto kind = category(character);
  return (kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_ME) ||
         kind == UTF8PROC_CATEGORY_ND || kind == UTF8PROC_CATEGORY_NL ||
         kind == UTF8PROC_CATEGORY_PC || character == 0x200C || character == 0x200D;
}

char32_t lowerCase(char32_t character) {
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(character)));
}

std::u32string decomposed(std::u32string_view text) {
  const std::string bytes = io::encodeUtf8(text);
  const auto decompose = [&bytes](std::vector<utf8proc_int32_t>& room) {
    const auto length =
        utf8proc_decompose(reinterpret_cast<const utf8proc_uint8_t*>(bytes.data()),
                           static_cast<utf8proc_ssize_t>(bytes.size()), room.data(),
                           static_cast<utf8proc_ssize_t>(room.size()), UTF8PROC_DECOMPOSE);
    if (length < 0) throw Error(utf8proc_errmsg(length), "text", "Choose a shorter text in UTF-8");
    return static_cast<std::size_t>(length);
  };
  // Few texts grow by more than half; if the buffer is too small, the result is the size required.
  std::vector<utf8proc_int32_t> characters(text.size() + text.size() / 2);
  const std::size_t length = decompose(characters);
  if (length > characters.size()) {
    characters.resize(length);
    decompose(characters);
  }
  return {characters.begin(), characters.begin() + static_cast<std::ptrdiff_t>(length)};
}

std::string normalized(std::string_view text, UnicodeForm form) {
  const bool composed = form == UnicodeForm::C || form == UnicodeForm::KC;
  const bool compatible = form == UnicodeForm::KD || form == UnicodeForm::KC;
  const int options = UTF8PROC_STABLE | (composed ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE) |
                      (compatible ? UTF8PROC_COMPAT : 0);
  utf8proc_uint8_t* result = nullptr;
  const auto length = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                   static_cast<utf8proc_ssize_t>(text.size()), &result,
                                   static_cast<utf8proc_option_t>(options));
  if (length < 0) throw Error(utf8proc_errmsg(length), "text", "Choose a shorter text in UTF-8");
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(result, std::free);
  return {reinterpret_cast<const char*>(result), static_cast<std::size_t>(length)};
}

std::vector<std::string_view> graphemes(std::string_view text) {
  std::vector<std::string_view> parts;
  utf8proc_int32_t state = 0;
  char32_t last = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const io::Utf8Character here = io::characterAt(text, at);
    if (here.length == 0) io::requireUtf8(text, "text");
    if (at > 0 && utf8proc_grapheme_break_stateful(utf8proc_int32_t(last),
                                                   utf8proc_int32_t(here.code_point), &state)) {
      parts.push_back(text.substr(begin, at - begin));
      begin = at;
    }
    last = here.code_point;
    at += here.length;
  }
  if (begin < text.size()) parts.push_back(text.substr(begin));
  return parts;
}

}  // namespace tfm::data

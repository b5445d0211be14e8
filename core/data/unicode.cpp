// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/unicode.h"

#include <utf8proc.h>

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

}  // namespace tfm::data

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tfm::io {

/// A character of a text, and how many bytes it takes.
struct Utf8Character {
  char32_t code_point = 0;
  std::size_t length = 0;  ///< 0: the bytes are not well-formed
};
/// The character at an offset within `text`.
Utf8Character characterAt(std::string_view text, std::size_t offset);

/// How many bytes at the end of `text` begin a character that is cut off, 0 to 3.
std::size_t cutBytes(std::string_view text);

/// The offset of the first byte that is not part of well-formed UTF-8 (RFC 3629: no overlong forms,
/// no surrogates, nothing above U+10FFFF), or nullopt if `text` is well-formed.
std::optional<std::size_t> firstInvalidUtf8(std::string_view text);

/// Throws Error naming the first offending byte and its offset unless `text` is well-formed.
/// `where` names the source of the text, e.g. a file.
void requireUtf8(std::string_view text, const std::string& where);

/// The code points of `text`. Throws the errors of requireUtf8().
std::u32string decodeUtf8(std::string_view text, const std::string& where = {});

/// The bytes as text: each longest part that begins a character without being one becomes U+FFFD
/// (Unicode 15, section 3.9, "substitution of maximal subparts").
std::string repairedUtf8(std::string_view bytes);

/// The UTF-8 form of `codePoints`. Throws Error on a surrogate or a value above U+10FFFF.
std::string encodeUtf8(std::u32string_view codePoints);

}  // namespace tfm::io

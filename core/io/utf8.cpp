// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "core/base/error.h"

namespace tfm::io {
namespace {

bool isScalarValue(char32_t c) { return c < 0xD800 || (c > 0xDFFF && c <= 0x10FFFF); }

std::size_t sequenceLength(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

bool isContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

std::string encodingHint(std::string_view text) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    return "It looks like UTF-16: save it again as UTF-8.";
  if (text.find('\0') != std::string_view::npos)
    return "It is not a text but a binary file: choose another one.";
  return "Save it again with the encoding UTF-8.";
}

[[noreturn]] void failUtf8(std::string_view text, std::size_t offset, const std::string& where) {
  char byte[8];
  std::snprintf(byte, sizeof byte, "%02X", static_cast<unsigned char>(text[offset]));
  // Without "0x": the window's font draws an x between digits as a times sign.
  throw Error("the text is not UTF-8: hexadecimal byte " + std::string(byte) + " at offset " +
                  std::to_string(offset) + " does not belong to a valid character",
              where, encodingHint(text));
}

}  // namespace

Utf8Character characterAt(std::string_view text, std::size_t offset) {
  const auto lead = static_cast<unsigned char>(text[offset]);
  const std::size_t length = sequenceLength(lead);
  if (length == 1) return {lead, 1};
  if (length == 0 || text.size() - offset < length) return {};
  char32_t code_point = lead & (0xFF >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (!isContinuation(text[offset + i])) return {};
    code_point = code_point << 6 | (static_cast<unsigned char>(text[offset + i]) & 0x3F);
  }
  const bool overlong =
      (length == 3 && code_point < 0x800) || (length == 4 && code_point < 0x10000);
  if (overlong || !isScalarValue(code_point)) return {};
  return {code_point, length};
}

std::string repairedUtf8(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size();) {
    if (const std::size_t length = characterAt(bytes, at).length; length > 0) {
      text += bytes.substr(at, length);
      at += length;
      continue;
    }
    text += "\xEF\xBF\xBD";
    const auto lead = static_cast<unsigned char>(bytes[at]);
    // The second byte of a character has the narrowest range.
    const auto allowed = [&](unsigned char second) {
      return second >= (lead == 0xE0   ? 0xA0
                        : lead == 0xF0 ? 0x90
                                       : 0x80) &&
             second <= (lead == 0xED   ? 0x9F
                        : lead == 0xF4 ? 0x8F
                                       : 0xBF);
    };
    const std::size_t end =
        std::min(bytes.size(),
                 at + std::max<std::size_t>(1, sequenceLength(static_cast<unsigned char>(lead))));
    if (++at < end && allowed(static_cast<unsigned char>(bytes[at])))
      while (++at < end && isContinuation(bytes[at])) {
      }
  }
  return text;
}

std::size_t cutBytes(std::string_view text) {
  std::size_t cut = 0;
  while (cut < text.size() && cut < 3 && isContinuation(text[text.size() - 1 - cut])) ++cut;
  if (cut == text.size()) return 0;
  ++cut;  // with the byte that tells how many follow
  return sequenceLength(static_cast<unsigned char>(text[text.size() - cut])) > cut ? cut : 0;
}

std::optional<std::size_t> firstInvalidUtf8(std::string_view text) {
  std::size_t offset = 0;
  while (offset < text.size()) {
    const std::size_t length = characterAt(text, offset).length;
    if (length == 0) return offset;
    offset += length;
  }
  return std::nullopt;
}

void requireUtf8(std::string_view text, const std::string& where) {
  if (const auto offset = firstInvalidUtf8(text)) failUtf8(text, *offset, where);
}

std::u32string decodeUtf8(std::string_view text, const std::string& where) {
  std::u32string result;
  result.reserve(text.size());
  for (std::size_t offset = 0; offset < text.size();) {
    const Utf8Character character = characterAt(text, offset);
    if (character.length == 0) failUtf8(text, offset, where);
    result += character.code_point;
    offset += character.length;
  }
  return result;
}

std::string encodeUtf8(std::u32string_view codePoints) {
  std::string result;
  result.reserve(codePoints.size());
  const auto append = [&result](char32_t bits) { result += static_cast<char>(bits); };
  for (const char32_t c : codePoints) {
    if (!isScalarValue(c)) {
      throw Error("the number " + std::to_string(static_cast<std::uint32_t>(c)) +
                      " is not a Unicode character",
                  "text", "Allowed: U+0000 to U+10FFFF without surrogates");
    }
    if (c < 0x80) {
      append(c);
    } else if (c < 0x800) {
      append(0xC0 | c >> 6);
      append(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
      append(0xE0 | c >> 12);
      append(0x80 | (c >> 6 & 0x3F));
      append(0x80 | (c & 0x3F));
    } else {
      append(0xF0 | c >> 18);
      append(0x80 | (c >> 12 & 0x3F));
      append(0x80 | (c >> 6 & 0x3F));
      append(0x80 | (c & 0x3F));
    }
  }
  return result;
}

}  // namespace tfm::io

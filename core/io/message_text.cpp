// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/message_text.h"

#include "core/io/utf8.h"

namespace tfm::io {
namespace {

constexpr std::size_t kMaxQuotedBytes = 100;

constexpr std::string_view kLineBreaks = "\t\n";
constexpr std::string_view kDigits = "0123456789abcdef";

/// Whether `offset` is within a character.
bool isInside(std::string_view text, std::size_t offset) {
  return (static_cast<unsigned char>(text[offset]) & 0xC0) == 0x80;
}

/// Control characters from U+007F, and those that override, embed or isolate the direction of text.
bool steers(char32_t c) {
  return (c >= 0x7F && c <= 0x9F) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

void appendByte(char byte, std::string& to) {
  const auto value = static_cast<unsigned char>(byte);
  to += {'\\', 'x', kDigits[value >> 4], kDigits[value & 15]};
}

/// All but the control characters in `allowed` as escapes.
std::string escaped(std::string_view text, std::string_view allowed) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character c = characterAt(text, at);
    const bool control = c.code_point < 0x20 && allowed.find(text[at]) == allowed.npos;
    if (c.length == 0 || control) {
      appendByte(text[at++], result);
      continue;
    }
    if (steers(c.code_point)) {
      result += "\\u";
      for (int shift = 12; shift >= 0; shift -= 4) result += kDigits[c.code_point >> shift & 15];
    } else {
      result += text.substr(at, c.length);
    }
    at += c.length;
  }
  return result;
}

}  // namespace

std::string shortened(std::string_view text, std::size_t maxBytes) {
  if (text.size() <= maxBytes) return std::string(text);
  std::size_t length = maxBytes;
  while (length > 0 && isInside(text, length)) --length;
  return std::string(text.substr(0, length)) + "...";
}

std::string plainText(std::string_view text) { return escaped(text, kLineBreaks); }

std::string inQuotes(std::string_view name) {
  return "\"" + escaped(shortened(name, kMaxQuotedBytes), {}) + "\"";
}

}  // namespace tfm::io

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/pipeline/byte_letters.h"

#include <array>
#include <cstdio>

#include "core/io/utf8.h"

namespace tfm::data {
namespace {

constexpr char32_t kFirstStandIn = 0x100;
constexpr std::size_t kStandIns = 68;
constexpr std::size_t kNameLength = 6;

bool standsForItself(unsigned byte) {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

struct Tables {
  std::array<char32_t, 256> letters{};
  std::array<unsigned char, kStandIns> bytes{};  // of the letters from U+0100

  Tables() {
    std::size_t next = 0;
    for (unsigned byte = 0; byte < 256; ++byte) {
      letters[byte] = standsForItself(byte) ? byte : kFirstStandIn + next;
      if (!standsForItself(byte)) bytes[next++] = static_cast<unsigned char>(byte);
    }
  }
};

const Tables& tables() {
  static const Tables all;
  return all;
}

/// Whether some part of a text is the name of a byte.
bool namesBytes(std::string_view text) {
  for (std::size_t at = text.find("<0x"); at != text.npos; at = text.find("<0x", at + 1))
    if (namedByte(text.substr(at, kNameLength))) return true;
  return false;
}

}  // namespace

std::string byteLetters(std::string_view bytes) {
  std::u32string letters;
  for (const char byte : bytes) letters += tables().letters[static_cast<unsigned char>(byte)];
  return io::encodeUtf8(letters);
}

std::optional<std::string> lettersToBytes(std::string_view letters) {
  std::string bytes;
  for (std::size_t at = 0; at < letters.size();) {
    const io::Utf8Character letter = io::characterAt(letters, at);
    const char32_t code = letter.code_point;
    if (letter.length == 0) return std::nullopt;
    if (code < 256 && standsForItself(unsigned(code)))
      bytes += static_cast<char>(code);
    else if (code >= kFirstStandIn && code < kFirstStandIn + kStandIns)
      bytes += static_cast<char>(tables().bytes[code - kFirstStandIn]);
    else
      return std::nullopt;
    at += letter.length;
  }
  return bytes;
}

std::string byteName(unsigned char byte) {
  char name[kNameLength + 1];
  std::snprintf(name, sizeof name, "<0x%02X>", unsigned(byte));
  return name;
}

std::optional<unsigned char> namedByte(std::string_view name) {
  if (name.size() != kNameLength || !name.starts_with("<0x") || name.back() != '>')
    return std::nullopt;
  unsigned value = 0;
  for (const char digit : name.substr(3, 2)) {
    const bool decimal = digit >= '0' && digit <= '9', letter = digit >= 'A' && digit <= 'F';
    if (!decimal && !letter) return std::nullopt;
    value = value * 16 + unsigned(decimal ? digit - '0' : digit - 'A' + 10);
  }
  return static_cast<unsigned char>(value);
}

std::string shownBytes(std::string_view bytes) {
  if (!io::firstInvalidUtf8(bytes) && !namesBytes(bytes)) return std::string(bytes);
  std::string names;
  for (const char byte : bytes) names += byteName(static_cast<unsigned char>(byte));
  return names;
}

std::string bytesOfShown(std::string_view shown) {
  if (!namedByte(shown.substr(0, kNameLength))) return std::string(shown);
  std::string bytes;
  for (; !shown.empty(); shown.remove_prefix(std::min(kNameLength, shown.size())))
    bytes += static_cast<char>(namedByte(shown.substr(0, kNameLength)).value_or('?'));
  return bytes;
}

}  // namespace tfm::data

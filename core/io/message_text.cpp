// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/message_text.h"

namespace tfm::io {
namespace {

constexpr std::size_t kMaxQuotedBytes = 100;

bool isContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

std::string shortened(std::string_view text, std::size_t maxBytes) {
  if (text.size() <= maxBytes) return std::string(text);
  std::size_t length = maxBytes;
  while (length > 0 && isContinuation(text[length])) --length;
  return std::string(text.substr(0, length)) + "...";
}

std::string inQuotes(std::string_view name) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string result = "\"";
  for (const char character : shortened(name, kMaxQuotedBytes)) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte < 0x20 || byte == 0x7F) {
      result += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    } else {
      result += character;
    }
  }
  return result + "\"";
}

}  // namespace tfm::io

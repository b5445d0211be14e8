// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/base64.h"

#include <array>
#include <cstdint>

#include "core/base/error.h"

namespace tfm::io {
namespace {

constexpr std::string_view kBase64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 64;

constexpr std::array<std::uint8_t, 256> valuesOfDigits() {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (std::size_t i = 0; i < kBase64Digits.size(); ++i)
    values[std::uint8_t(kBase64Digits[i])] = std::uint8_t(i);
  return values;
}

}  // namespace

std::string toBase64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view group = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (i < group.size() ? std::uint8_t(group[i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      text += i <= group.size() ? kBase64Digits[bits >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

std::string fromBase64(std::string_view text, const std::string& where) {
  static constexpr auto kValues = valuesOfDigits();
  const auto fail = [&](std::size_t at) {
    throw Error("not base64 at character " + std::to_string(at + 1), where,
                "The file was changed after it was saved");
  };
  if (text.size() % 4 != 0) fail(text.size());
  std::size_t pads = 0;
  while (pads < 2 && pads < text.size() && text[text.size() - 1 - pads] == '=') ++pads;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::uint8_t value =
        at + pads >= text.size() ? std::uint8_t(0) : kValues[std::uint8_t(text[at])];
    if (value == kNoDigit) fail(at);
    bits = bits << 6 | value;
    if (at % 4 != 3) continue;
    for (const int shift : {16, 8, 0}) bytes += char(bits >> shift & 255);
    bits = 0;
  }
  bytes.resize(bytes.size() - pads);
  return bytes;
}

}  // namespace tfm::io

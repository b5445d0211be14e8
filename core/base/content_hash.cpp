// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/content_hash.h"

namespace tfm {

std::string hexText(std::uint64_t number) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += kDigits[number >> shift & 0xF];
  return digits;
}

void ContentHash::add(std::span<const std::byte> bytes) {
  for (const std::byte byte : bytes)
    hash_ = (hash_ ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001B3;
}

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tfm {

/// `number` as 16 hexadecimal digits.
std::string hexText(std::uint64_t number);

/// A 64-bit content hash (FNV-1a), the same on every machine. Not cryptographic: collisions can be
/// forged.
class ContentHash {
 public:
  void add(std::span<const std::byte> bytes);
  void add(std::string_view text) { add(std::as_bytes(std::span(text))); }

  std::uint64_t value() const { return hash_; }
  std::string text() const { return hexText(hash_); }

 private:
  std::uint64_t hash_ = 0xCBF29CE484222325;
};

}  // namespace tfm

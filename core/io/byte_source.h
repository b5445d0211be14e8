// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tfm::io {

/// Bytes of which any part can be read.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::uint64_t size() const = 0;
  /// The bytes from `begin` on. Throws Error if they are not there.
  virtual void read(std::uint64_t begin, std::span<std::byte> to) const = 0;
};

}  // namespace tfm::io

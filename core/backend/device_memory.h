// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace tfm {

/// The memory of a backend. Only its kernels may access the addresses: the host uploads numbers and
/// downloads results. Thread-safe.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;

  /// Allocates zeroed memory aligned to a cache line. Throws std::bad_alloc.
  virtual void* allocate(std::size_t bytes) const = 0;
  virtual void release(void* address, std::size_t bytes) const noexcept = 0;
  /// Copies from host memory.
  virtual void upload(void* to, const void* from, std::size_t bytes) const = 0;
  /// Copies to host memory after all previous calls have finished.
  virtual void download(void* to, const void* from, std::size_t bytes) const = 0;
  /// Whether this is host memory, which can be read without a copy.
  virtual bool isHost() const = 0;
};

}  // namespace tfm

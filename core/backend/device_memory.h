// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace tfm {

/// The memory that a backend's kernels work on. Its addresses mean something to those kernels
/// alone: the host uploads numbers and downloads results. Calls may come from several threads.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;

  /// `bytes` bytes from the beginning of a cache line on, all zero. Throws std::bad_alloc where
  /// there is no room for them.
  virtual void* allocate(std::size_t bytes) const = 0;
  virtual void release(void* address, std::size_t bytes) const noexcept = 0;
  /// Copies from the host's memory.
  virtual void upload(void* to, const void* from, std::size_t bytes) const = 0;
  /// Copies to the host's memory, once all that was called before is done.
  virtual void download(void* to, const void* from, std::size_t bytes) const = 0;
  /// Whether it is the host's own memory, so that nothing has to be copied to be read.
  virtual bool isHost() const = 0;
};

}  // namespace tfm

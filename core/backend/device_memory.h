// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>

namespace tfm {

/// Numbers of a device as they were when this was made, for the host to read later.
class DeviceSnapshot {
 public:
  virtual ~DeviceSnapshot() = default;
  /// Copies them to host memory and waits for the copy. May be called on any thread; the calls of
  /// the backend continue meanwhile.
  virtual void download(void* to) const = 0;
};

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
  /// The numbers as they are after all previous calls, without waiting for these. Null where that
  /// would be no better than download(), or if there is no memory for it. May outlive this memory.
  virtual std::unique_ptr<DeviceSnapshot> snapshot(const void* from, std::size_t bytes) const {
    static_cast<void>(from);
    static_cast<void>(bytes);
    return nullptr;
  }
  /// Whether this is host memory, which can be read without a copy.
  virtual bool isHost() const = 0;
};

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "core/backend/device_memory.h"
#include "core/base/check.h"
#include "core/tensor/aligned_vector.h"

namespace tfm {

/// An array in the memory of a backend, which must outlive it. Initially zero.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  Buffer(const DeviceMemory& memory, std::size_t size)
      : numbers_(nullptr, {&memory, size * sizeof(T)}) {
    if (size > 0) numbers_.reset(static_cast<T*>(memory.allocate(size * sizeof(T))));
  }
  Buffer(const DeviceMemory& memory, std::span<const T> numbers) : Buffer(memory, numbers.size()) {
    upload(numbers);
  }

  std::size_t size() const { return numbers_.get_deleter().bytes / sizeof(T); }
  bool empty() const { return numbers_ == nullptr; }
  /// The device address, for calls of ops.
  T* data() { return numbers_.get(); }
  const T* data() const { return numbers_.get(); }
  std::span<T> span() { return {data(), size()}; }
  std::span<const T> span() const { return {data(), size()}; }

  /// Copies `numbers` from the host, starting at index `first`.
  void upload(std::span<const T> numbers, std::size_t first = 0) {
    check(first + numbers.size() <= size(), "an upload fits its buffer");
    if (!numbers.empty()) memory().upload(data() + first, numbers.data(), numbers.size_bytes());
  }
  AlignedVector<T> download() const {
    AlignedVector<T> numbers(size());
    if (!empty()) memory().download(numbers.data(), data(), numbers.size() * sizeof(T));
    return numbers;
  }
  /// See DeviceMemory::snapshot().
  std::unique_ptr<DeviceSnapshot> snapshot() const {
    return empty() ? nullptr : memory().snapshot(data(), size() * sizeof(T));
  }

 private:
  struct Release {
    const DeviceMemory* memory = nullptr;
    std::size_t bytes = 0;
    void operator()(T* address) const { memory->release(address, bytes); }
  };
  const DeviceMemory& memory() const { return *numbers_.get_deleter().memory; }

  std::unique_ptr<T[], Release> numbers_;
};

/// A buffer's numbers as they are now, for the host to read later, on any thread. On a device, only
/// the reader waits for the transfer.
template <class T>
class LateDownload {
 public:
  LateDownload() = default;
  explicit LateDownload(const Buffer<T>& buffer)
      : size_(buffer.size()), snapshot_(buffer.snapshot()) {
    if (snapshot_ == nullptr) numbers_ = buffer.download();
  }

  /// Call it once.
  AlignedVector<T> take() {
    if (snapshot_ == nullptr) return std::move(numbers_);
    AlignedVector<T> numbers(size_);
    std::exchange(snapshot_, nullptr)->download(numbers.data());
    return numbers;
  }

 private:
  std::size_t size_ = 0;
  std::unique_ptr<DeviceSnapshot> snapshot_;
  AlignedVector<T> numbers_;
};

/// Host numbers for kernels to read: a copy on the device, or the numbers themselves if the memory
/// is the host's. They must outlive it unchanged.
template <class T>
class DeviceCopy {
 public:
  DeviceCopy(const DeviceMemory& memory, std::span<const T> numbers)
      : copy_(memory.isHost() ? Buffer<T>() : Buffer<T>(memory, numbers)),
        numbers_(memory.isHost() ? numbers : std::as_const(copy_).span()) {}

  const T* data() const { return numbers_.data(); }
  std::span<const T> span() const { return numbers_; }

 private:
  Buffer<T> copy_;
  std::span<const T> numbers_;
};

/// Device numbers for the host to read: a copy, or the numbers themselves if the memory is the
/// host's.
template <class T>
class HostCopy {
 public:
  /// Valid until the next call.
  std::span<const T> of(const DeviceMemory& memory, std::span<const T> numbers) {
    if (memory.isHost() || numbers.empty()) return numbers;
    copy_.resize(numbers.size());
    memory.download(copy_.data(), numbers.data(), numbers.size_bytes());
    return copy_;
  }

 private:
  AlignedVector<T> copy_;
};

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstring>
#include <mutex>
#include <new>

#include "core/backend/device_memory.h"

namespace tfm::test {

/// Memory of a device that is none, which has so many bytes.
class FakeMemory final : public DeviceMemory {
 public:
  explicit FakeMemory(std::size_t bytes) : left_(bytes) {}

  void* allocate(std::size_t bytes) const override {
    const std::lock_guard lock(mutex_);
    if (left_ < bytes) throw std::bad_alloc();
    void* address = ::operator new(bytes, kAligned);
    left_ -= bytes;
    return std::memset(address, 0, bytes);
  }
  void release(void* address, std::size_t bytes) const noexcept override {
    const std::lock_guard lock(mutex_);
    ::operator delete(address, kAligned);
    left_ += bytes;
  }
  void upload(void* to, const void* from, std::size_t bytes) const override {
    std::memcpy(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) const override {
    std::memcpy(to, from, bytes);
  }
  bool isHost() const override { return false; }

 private:
  static constexpr std::align_val_t kAligned{64};

  mutable std::mutex mutex_;
  mutable std::size_t left_;
};

}  // namespace tfm::test

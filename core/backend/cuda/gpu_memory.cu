// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cuda/gpu_memory.h"

#include <cstring>
#include <utility>

namespace tfm::cuda {
namespace {

/// A copy on the device, which a stream of its own brings to the host.
class GpuSnapshot final : public DeviceSnapshot {
 public:
  GpuSnapshot(std::shared_ptr<Lane> lane, const void* from, std::size_t bytes)
      : lane_(std::move(lane)), bytes_(bytes), copy_(lane_->copies.take(bytes)) {
    try {
      require(cudaMemcpyAsync(copy_, from, bytes, cudaMemcpyDeviceToDevice, lane_->work));
      copied_ = std::make_unique<Mark>(lane_->work);
    } catch (...) {
      lane_->copies.giveBack(copy_);
      throw;
    }
  }
  ~GpuSnapshot() override { lane_->copies.giveBack(copy_); }

  void download(void* to) const override {
    copied_->letWait(lane_->downloads);
    require(cudaMemcpyAsync(to, copy_, bytes_, cudaMemcpyDeviceToHost, lane_->downloads));
    lane_->downloads.wait();
  }

 private:
  std::shared_ptr<Lane> lane_;
  std::size_t bytes_;
  void* copy_;
  std::unique_ptr<Mark> copied_;
};

}  // namespace

/// Host memory that the device reads by itself, so that uploads of a few numbers wait for nothing.
/// One half is filled while the device reads the other. Thread-safe.
class GpuMemory::Outbox {
 public:
  static constexpr std::size_t kHalf = std::size_t{1} << 18;
  static constexpr std::size_t kMost = kHalf / 4;  ///< of an upload

  Outbox() { require(cudaHostAlloc(&bytes_, 2 * kHalf, cudaHostAllocDefault)); }
  ~Outbox() { cudaFreeHost(bytes_); }
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  void send(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
    const std::lock_guard lock(mutex_);
    if (used_ + bytes > kHalf) {
      sent_[half_] = std::make_unique<Mark>(stream);
      half_ = 1 - half_;
      used_ = 0;
      if (sent_[half_] != nullptr) sent_[half_]->wait();
    }
    std::byte* own = static_cast<std::byte*>(bytes_) + half_ * kHalf + used_;
    std::memcpy(own, from, bytes);
    require(cudaMemcpyAsync(to, own, bytes, cudaMemcpyHostToDevice, stream));
    used_ += (bytes + 15) / 16 * 16;
  }

 private:
  std::mutex mutex_;
  void* bytes_ = nullptr;
  std::size_t half_ = 0, used_ = 0;
  std::unique_ptr<Mark> sent_[2];  // behind the last upload from each half
};

GpuMemory::GpuMemory(std::shared_ptr<Lane> lane)
    : lane_(std::move(lane)), outbox_(std::make_unique<Outbox>()) {}

GpuMemory::~GpuMemory() { cudaStreamSynchronize(lane_->work); }  // which reads the outbox

void* GpuMemory::allocate(std::size_t bytes) const {
  void* address = nullptr;
  require(cudaMalloc(&address, bytes));
  require(cudaMemsetAsync(address, 0, bytes, lane_->work));
  return address;
}

void GpuMemory::release(void* address, std::size_t) const noexcept {
  cudaFree(address);  // waits for the device
}

void GpuMemory::upload(void* to, const void* from, std::size_t bytes) const {
  if (bytes <= Outbox::kMost) return outbox_->send(to, from, bytes, lane_->work);
  require(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, lane_->work));
  lane_->work.wait();  // the host's numbers may go
}

void GpuMemory::download(void* to, const void* from, std::size_t bytes) const {
  require(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, lane_->work));
  lane_->work.wait();
}

std::unique_ptr<DeviceSnapshot> GpuMemory::snapshot(const void* from, std::size_t bytes) const {
  try {
    return std::make_unique<GpuSnapshot>(lane_, from, bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace tfm::cuda

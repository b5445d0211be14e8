// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/backend/cuda/cublas_lt.h"
#include "core/backend/cuda/stream.h"
#include "core/backend/device_memory.h"

namespace tfm::cuda {

/// State shared by the calls of a backend and its snapshots, which may outlive it.
struct Lane {
  Stream work;
  Stream downloads;  ///< of snapshots, while the work continues
  Arena scratch;     ///< of calls that are not recorded
  Arena copies;      ///< for snapshots
  CublasLt library;
};

/// Memory of the GPU. Uploads and downloads are in the stream of the kernels, so in order with
/// them.
class GpuMemory final : public DeviceMemory {
 public:
  explicit GpuMemory(std::shared_ptr<Lane> lane);
  ~GpuMemory() override;

  void* allocate(std::size_t bytes) const override;
  void release(void* address, std::size_t bytes) const noexcept override;
  /// Returns before the numbers are there.
  void upload(void* to, const void* from, std::size_t bytes) const override;
  void download(void* to, const void* from, std::size_t bytes) const override;
  std::unique_ptr<DeviceSnapshot> snapshot(const void* from, std::size_t bytes) const override;
  bool isHost() const override { return false; }

 private:
  class Outbox;

  std::shared_ptr<Lane> lane_;
  std::unique_ptr<Outbox> outbox_;
};

}  // namespace tfm::cuda

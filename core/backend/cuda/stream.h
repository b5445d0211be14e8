// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <new>
#include <string>

#include "core/backend/cuda/precision.h"
#include "core/base/error.h"

// Streams of work for the device, and scratch memory for its kernels.
namespace tfm::cuda {

class CublasLt;

/// Throws std::bad_alloc if the device has no memory left, Error for any other failure.
inline void require(cudaError_t status) {
  if (status == cudaSuccess) return;
  if (status == cudaErrorMemoryAllocation) throw std::bad_alloc();
  throw Error("the GPU failed: " + std::string(cudaGetErrorString(status)), "cuda",
              "Train on the CPU with --device cpu");
}

/// A queue of work, which runs in order and independently of other queues.
class Stream {
 public:
  Stream() { require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  operator cudaStream_t() const { return stream_; }
  void wait() const { require(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

/// A place in a queue, for another queue to wait for.
class Mark {
 public:
  explicit Mark(cudaStream_t after) {
    require(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
    require(cudaEventRecord(event_, after));
  }
  ~Mark() { cudaEventDestroy(event_); }
  Mark(const Mark&) = delete;
  Mark& operator=(const Mark&) = delete;

  /// Work submitted to `stream` from now on starts after all work before the mark.
  void letWait(cudaStream_t stream) const { require(cudaStreamWaitEvent(stream, event_, 0)); }
  /// Waits until all work before the mark is done.
  void wait() const { require(cudaEventSynchronize(event_)); }

 private:
  cudaEvent_t event_ = nullptr;
};

/// A pool of device memory for work in one stream: returned memory can be reused at once, since
/// later work runs later. Nothing is freed before the pool is destroyed. Thread-safe.
class Arena {
 public:
  Arena() = default;
  ~Arena() {
    for (const auto& [bytes, block] : free_) cudaFree(block);
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Throws std::bad_alloc.
  void* take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    // Not one that is much larger: it may be the only one that fits what comes next.
    const auto fitting = free_.lower_bound(bytes);
    if (fitting != free_.end() && fitting->first <= 2 * bytes) {
      const auto [size, block] = *fitting;
      taken_.emplace(block, size);
      free_.erase(fitting);
      return block;
    }
    void* block = nullptr;
    require(cudaMalloc(&block, bytes));
    taken_.emplace(block, bytes);
    return block;
  }
  void giveBack(void* block) {
    const std::lock_guard lock(mutex_);
    const auto taken = taken_.find(block);
    free_.emplace(taken->second, block);
    taken_.erase(taken);
  }

 private:
  std::mutex mutex_;
  std::multimap<std::size_t, void*> free_;  // by size
  std::map<void*, std::size_t> taken_;
};

/// Where a thread's launches go. Without a backend that is the default stream.
struct Place {
  cudaStream_t stream = nullptr;
  Arena* scratch = nullptr;
  Precision precision = Precision::Float;
  CublasLt* library = nullptr;  ///< for large products
  bool records = false;         ///< the stream runs nothing: its calls become a recording
};
inline thread_local Place current_place;

/// Sets the place of launches during its lifetime.
class Use {
 public:
  explicit Use(const Place& place) : before_(current_place) { current_place = place; }
  ~Use() { current_place = before_; }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  Place before_;
};

}  // namespace tfm::cuda

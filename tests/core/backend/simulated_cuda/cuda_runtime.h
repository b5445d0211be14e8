// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

// The part of CUDA that core/backend/cuda is written with, for a C++ compiler: a device that the
// processor simulates. Blocks run one after the other, the threads of a block too, each up to the
// next __syncthreads(); both in random order, which differs from launch to launch. A kernel that
// breaks a contract (of bounds, of memory, of waiting for each other) makes the launch throw
// std::logic_error. Memory that has just been allocated, and shared memory at the beginning of a
// block, holds NaN.

#define __global__
#define __host__
#define __device__
#define __shared__ __thread  // unlike thread_local, without a function that initializes it
#define __align__(bytes) __attribute__((aligned(bytes)))

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  dim3() = default;
  explicit dim3(unsigned width) : x(width) {}
};
inline thread_local dim3 gridDim, blockDim;
struct uint3 {
  unsigned x = 0, y = 0, z = 0;
};
inline thread_local uint3 blockIdx, threadIdx;

/// Returns when all threads of the block have come this far.
void __syncthreads();

namespace simulated {
/// What the thread `lane` ^ `other` of the same warp has given, once all threads that `lanes` names
/// have given theirs.
std::uint64_t exchange(unsigned lanes, std::uint64_t own, int other);
}  // namespace simulated

template <class T>
T __shfl_xor_sync(unsigned lanes, T own, int other) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t));
  std::uint64_t bits = 0;
  std::memcpy(&bits, &own, sizeof own);
  bits = simulated::exchange(lanes, bits, other);
  std::memcpy(&own, &bits, sizeof own);
  return own;
}

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInsufficientDriver = 35,
  cudaErrorNoDevice = 100
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
using cudaStream_t = void*;

const char* cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaMalloc(void** memory, std::size_t bytes);
cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t stream);
cudaError_t cudaFree(void* memory);
cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream);
cudaError_t cudaMemset(void* memory, int byte, std::size_t bytes);
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);

namespace simulated {

/// What holds inside a kernel, and of the memory that it is given.
void expect(bool holds);
void expectOnDevice(const void* first, std::size_t bytes);
void expectShared(std::size_t bytes);

/// The driver, as a test would have it: the device, none, or a failure of the next allocations.
void setDeviceCount(int count);
void setOutOfMemory(bool out);
/// Bytes on the device that have not been freed.
std::size_t bytesInUse();
/// Chooses the random orders of the following launches.
void seed(std::uint64_t number);

/// Runs work(context) once for each thread of each block.
void run(dim3 grid, dim3 block, std::size_t shared_bytes, void (*work)(void*), void* context);

}  // namespace simulated

template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes, cudaStream_t) {
  struct Context {
    void (*kernel)(Parameters...);
    void** arguments;
  } context{kernel, arguments};
  simulated::run(
      grid, block, shared_bytes,
      [](void* address) {
        const auto& [own_kernel, values] = *static_cast<Context*>(address);
        [&]<std::size_t... i>(std::index_sequence<i...>) {
          own_kernel(*static_cast<Parameters*>(values[i])...);
        }
        (std::index_sequence_for<Parameters...>());
      },
      &context);
  return cudaSuccess;
}

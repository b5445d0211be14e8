// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <tuple>
#include <utility>

// The part of CUDA that core/backend/cuda is written with, for a C++ compiler: a device that the
// processor simulates. Blocks run one after the other, the threads of a block too, each up to the
// next __syncthreads(); both in random order, which differs from launch to launch. A kernel that
// breaks a contract (of bounds, of memory, of waiting for each other) makes the launch throw
// std::logic_error. Memory that has just been allocated, and shared memory at the beginning of a
// block, holds NaN.
//
// What a stream is given is done at once or, after setLazy(), when somebody waits for it; until
// then downloads hold NaN.

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
/// What mma.sync does with a warp's registers: sums += a b, a: 16 x k, b: k x 8, k = 8 * packed,
/// of numbers of 32 bits or, two in a register, of their upper 16. The lower bits of a number of 32
/// mean nothing to TF32: a kernel must have rounded them away.
void multiplyAdd(float (&sums)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2],
                 int packed);
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
  cudaErrorNoDevice = 100,
  cudaErrorStreamCaptureUnsupported = 900
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum cudaStreamCaptureMode { cudaStreamCaptureModeRelaxed = 2 };
constexpr unsigned cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2, cudaHostAllocDefault = 0;

namespace simulated {
struct Stream;
struct Event;
struct Graph;
}  // namespace simulated
using cudaStream_t = simulated::Stream*;
using cudaEvent_t = simulated::Event*;
using cudaGraph_t = simulated::Graph*;
using cudaGraphExec_t = simulated::Graph*;

const char* cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaMalloc(void** memory, std::size_t bytes);
/// After all streams have come to their end.
cudaError_t cudaFree(void* memory);
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned flags);
cudaError_t cudaFreeHost(void* memory);
cudaError_t cudaMemsetAsync(void* memory, int byte, std::size_t bytes, cudaStream_t stream);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream);

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);

/// What the stream is given from now on becomes a graph.
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* launches, cudaGraph_t graph,
                                 unsigned long long flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t launches);
cudaError_t cudaGraphLaunch(cudaGraphExec_t launches, cudaStream_t stream);

namespace simulated {

/// What holds inside a kernel, and of the memory that it is given.
void expect(bool holds);
void expectOnDevice(const void* first, std::size_t bytes);
void expectShared(std::size_t bytes);

/// Ends the program on the device with the words of the contract.
void require(bool holds, const char* contract);

/// The driver, as a test would have it: what it says to who asks for devices, how many it finds,
/// and the bytes that one has.
void setDriver(cudaError_t answer, int count);
void setMemory(std::size_t bytes);
constexpr std::size_t kEnoughMemory = std::size_t(-1);
/// Bytes on the device that have not been freed.
std::size_t bytesInUse();
/// The most bytes that were not freed, since forgetPeak().
std::size_t peakBytes();
void forgetPeak();
/// Whether streams do nothing before somebody waits for them. All do what they have left first.
void setLazy(bool lazy);
/// How many graphs were launched.
std::int64_t graphLaunches();
/// Does the work in a stream: now, later, or never where it becomes part of a graph.
cudaError_t give(cudaStream_t stream, std::function<void()> work);
/// Chooses the random orders of the following launches.
void seed(std::uint64_t number);

/// Runs work(context) once for each thread of each block.
void run(dim3 grid, dim3 block, std::size_t shared_bytes, void (*work)(void*), void* context);

}  // namespace simulated

template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes, cudaStream_t stream) {
  // Arguments are copied, as they are on a device: what changes later does not change them.
  struct Context {
    void (*kernel)(Parameters...);
    std::tuple<Parameters...> values;
  };
  const Context context{
      kernel, [&]<std::size_t... i>(std::index_sequence<i...>){
                  return std::tuple<Parameters...>(*static_cast<Parameters*>(arguments[i])...);
}
(std::index_sequence_for<Parameters...>())
}
;
return simulated::give(stream, [=]() mutable {
  simulated::run(
      grid, block, shared_bytes,
      [](void* address) {
        const auto& own = *static_cast<const Context*>(address);
        std::apply(own.kernel, own.values);
      },
      const_cast<Context*>(&context));
});
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Memory, streams and graphs of the simulated device.
#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <vector>

namespace simulated {

using Work = std::function<void()>;

struct Stream {
  std::deque<Work> waiting;
  bool captures = false;
  std::vector<Work> captured;
};
struct Event {
  std::shared_ptr<bool> reached;
  Stream* stream = nullptr;
};
struct Graph {
  std::vector<Work> work;
};

namespace {

constexpr int kNaN = 0xFF;  // of each byte: a NaN in every precision, and -1 as an integer

struct Device {
  std::mutex mutex;
  std::map<const std::byte*, std::size_t> memory;
  std::size_t used = 0, peak = 0;
  std::size_t bytes = kEnoughMemory;
  cudaError_t answer = cudaSuccess;  // of the driver
  int count = 1;
  std::atomic<bool> lazy = false;
  std::atomic<std::int64_t> graph_launches = 0;
  std::recursive_mutex turn;  // guards what follows: streams work one at a time
  std::set<Stream*> streams;
};
Device& device() {
  static Device only;
  return only;
}

/// Does what waits in a stream until `stop`, or all of it.
void advance(Stream& stream, const bool* stop = nullptr) {
  const std::lock_guard lock(device().turn);
  while (!stream.waiting.empty() && (stop == nullptr || !*stop)) {
    const Work work = std::move(stream.waiting.front());
    stream.waiting.pop_front();
    work();
  }
}

void advanceAll() {
  const std::lock_guard lock(device().turn);
  for (Stream* stream : device().streams) advance(*stream);
}

}  // namespace

void require(bool holds, const char* contract) {
  if (!holds) throw std::logic_error(contract);
}

void expectOnDevice(const void* first, std::size_t bytes) {
  Device& d = device();
  const std::lock_guard lock(d.mutex);
  const auto* begin = static_cast<const std::byte*>(first);
  const auto next = d.memory.upper_bound(begin);
  require(next != d.memory.begin(), "kernels are given memory of the device");
  const auto& [own, size] = *std::prev(next);
  require(begin + bytes <= own + size, "kernels are given memory of the device");
}

void setDriver(cudaError_t answer, int count) {
  device().answer = answer;
  device().count = count;
}
void setMemory(std::size_t bytes) { device().bytes = bytes; }

std::size_t bytesInUse() {
  Device& d = device();
  const std::lock_guard lock(d.mutex);
  return d.used;
}

std::size_t peakBytes() {
  Device& d = device();
  const std::lock_guard lock(d.mutex);
  return d.peak;
}
void forgetPeak() {
  Device& d = device();
  const std::lock_guard lock(d.mutex);
  d.peak = d.used;
}

void setLazy(bool lazy) {
  advanceAll();
  device().lazy = lazy;
}

std::int64_t graphLaunches() { return device().graph_launches; }

cudaError_t give(cudaStream_t stream, Work work) {
  if (stream != nullptr && stream->captures) {
    stream->captured.push_back(std::move(work));
  } else if (stream != nullptr && device().lazy) {
    const std::lock_guard lock(device().turn);
    stream->waiting.push_back(std::move(work));
  } else {
    work();
  }
  return cudaSuccess;
}

}  // namespace simulated

const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaSuccess ? "no error" : "an error of the simulated device";
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = simulated::device().count;
  return simulated::device().answer;
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  simulated::Device& d = simulated::device();
  const std::lock_guard lock(d.mutex);
  if (d.bytes < d.used || d.bytes - d.used < bytes) return cudaErrorMemoryAllocation;
  auto* fresh = static_cast<std::byte*>(::operator new(std::max<std::size_t>(1, bytes)));
  std::memset(fresh, simulated::kNaN, bytes);
  d.memory[fresh] = bytes;
  d.used += bytes;
  d.peak = std::max(d.peak, d.used);
  *memory = fresh;
  return cudaSuccess;
}

cudaError_t cudaFree(void* memory) {
  simulated::advanceAll();
  simulated::Device& d = simulated::device();
  const std::lock_guard lock(d.mutex);
  const auto known = d.memory.find(static_cast<const std::byte*>(memory));
  // A test of the device may go on after a failure, a wrong address must not.
  if (known == d.memory.end()) std::terminate();
  d.used -= known->second;
  d.memory.erase(known);
  ::operator delete(memory);
  return cudaSuccess;
}

cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
  *memory = ::operator new(bytes);
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* memory) {
  ::operator delete(memory);
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* memory, int byte, std::size_t bytes, cudaStream_t stream) {
  simulated::expectOnDevice(memory, bytes);
  return simulated::give(stream, [=] { std::memset(memory, byte, bytes); });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (kind != cudaMemcpyDeviceToHost) simulated::expectOnDevice(to, bytes);
  if (kind != cudaMemcpyHostToDevice) simulated::expectOnDevice(from, bytes);
  if (kind == cudaMemcpyDeviceToHost) std::memset(to, simulated::kNaN, bytes);
  return simulated::give(stream, [=] { std::memcpy(to, from, bytes); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  const std::lock_guard lock(simulated::device().turn);
  *stream = *simulated::device().streams.insert(new simulated::Stream).first;
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const std::lock_guard lock(simulated::device().turn);
  simulated::advance(*stream);
  simulated::device().streams.erase(stream);
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (stream->captures) return cudaErrorStreamCaptureUnsupported;
  simulated::advance(*stream);
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = new simulated::Event;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  event->reached = std::make_shared<bool>(false);
  event->stream = stream;
  return simulated::give(stream, [reached = event->reached] { *reached = true; });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return simulated::give(stream, [reached = event->reached, other = event->stream] {
    if (!*reached) simulated::advance(*other, reached.get());
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  simulated::advance(*event->stream, event->reached.get());
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  stream->captures = true;
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  stream->captures = false;
  *graph = new simulated::Graph{std::move(stream->captured)};
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* launches, cudaGraph_t graph, unsigned long long) {
  *launches = new simulated::Graph(*graph);
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t launches) { return cudaGraphDestroy(launches); }

cudaError_t cudaGraphLaunch(cudaGraphExec_t launches, cudaStream_t stream) {
  ++simulated::device().graph_launches;
  for (const simulated::Work& work : launches->work) simulated::give(stream, work);
  return cudaSuccess;
}

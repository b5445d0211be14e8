// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/plugin.h"

#include <array>
#include <string>

#include "core/backend/cuda/device_op.h"
#include "core/backend/cuda/launch.h"

namespace tfm::cuda {
namespace {

constexpr std::array kAll{&kEmbedding,
                          &kAddPositions,
                          &kPadColumns,
                          &kLinear,
                          &kGroupedLinear,
                          &kJoinGroups,
                          &kActivation,
                          &kAdd,
                          &kGate,
                          &kAffine,
                          &kDropout,
                          &kLayerNorm,
                          &kMaskedLayerNorm,
                          &kRmsNorm,
                          &kAttention,
                          &kRelativeScores,
                          &kSegmentScores,
                          &kSequencePool,
                          &kPoolIds,
                          &kUpsample,
                          &kMeanPool,
                          &kCrossEntropy,
                          &kSquaredError,
                          &kFill,
                          &kScale,
                          &kAddSquares,
                          &kArgmax,
                          &kSgd,
                          &kAdam};

class GpuMemory final : public DeviceMemory {
 public:
  void* allocate(std::size_t bytes) const override {
    void* address = nullptr;
    require(cudaMalloc(&address, bytes));
    require(cudaMemset(address, 0, bytes));
    return address;
  }
  void release(void* address, std::size_t) const noexcept override { cudaFree(address); }
  void upload(void* to, const void* from, std::size_t bytes) const override {
    require(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
  }
  /// In the stream of the kernels, so after them.
  void download(void* to, const void* from, std::size_t bytes) const override {
    require(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
  }
  bool isHost() const override { return false; }
};

template <class Real>
class GpuBackend final : public Backend<Real> {
 public:
  std::string_view name() const override { return "cuda"; }
  const DeviceMemory& memory() const override { return memory_; }

  void forward(const OpCall<Real>& call) const override { kernelsOf(call).forward(call); }
  void backward(const OpCall<Real>& call) const override { kernelsOf(call).backward(call); }

 private:
  static const OpKernels<Real>& kernelsOf(const OpCall<Real>& call) {
    const DeviceOp* op = findDeviceOp(call.op->name);
    if (op == nullptr)
      throw Error("the GPU has no kernels for '" + std::string(call.op->name) + "'", "cuda",
                  "Train on the CPU with --device cpu");
    return op->template kernels<Real>();
  }

  GpuMemory memory_;
};

std::string findObstacle() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorInsufficientDriver) return "there is no NVIDIA driver, or it is too old";
  if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0))
    return "there is no NVIDIA GPU";
  return status == cudaSuccess ? "" : cudaGetErrorString(status);
}

const char* obstacle() {
  static const std::string found = findObstacle();
  return found.c_str();
}
template <class Real>
Backend<Real>* make() {
  return new GpuBackend<Real>;
}

}  // namespace

const DeviceOp* findDeviceOp(std::string_view name) {
  for (const DeviceOp* op : kAll)
    if (op->name == name) return op;
  return nullptr;
}

}  // namespace tfm::cuda

extern "C" __attribute__((visibility("default"))) const tfm::Plugin* tfmPlugin() {
  using namespace tfm;
  // Below the CPU until it has been measured: who wants it asks for it.
  static const Plugin plugin{kPluginVersion,    TFM_PLUGIN_BUILD,  "cuda", 0, cuda::obstacle,
                             cuda::make<float>, cuda::make<double>};
  return &plugin;
}

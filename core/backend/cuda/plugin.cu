// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/plugin.h"

#include <array>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "core/backend/cuda/device_op.h"
#include "core/backend/cuda/gpu_memory.h"

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
                          &kMultiply,
                          &kAffine,
                          &kDropout,
                          &kLayerNorm,
                          &kMaskedLayerNorm,
                          &kRmsNorm,
                          &kRotary,
                          &kRepeatHeads,
                          &kAttention,
                          &kRelativeScores,
                          &kDistanceScores,
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
                          &kClipFactor,
                          &kSgd,
                          &kAdam,
                          &kCachedAttention};

/// A device for each precision, as it is chosen and shown like one.
constexpr const char* nameOf(Precision precision) {
  switch (precision) {
    case Precision::Tf32:
      return "cuda-tf32";
    case Precision::Bf16:
      return "cuda-bf16";
    default:
      return "cuda";
  }
}

/// Launches that the device knows by heart.
class GpuRecording final : public Recording {
 public:
  GpuRecording(std::shared_ptr<Lane> lane, const std::function<void()>& work)
      : lane_(std::move(lane)) {
    const Stream stream;
    // Relaxed, as scratch memory may have to be allocated.
    require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    std::exception_ptr failure;
    try {
      const Use use({.stream = stream, .scratch = &scratch_, .records = true});
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    cudaGraph_t graph = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
    if (!failure && ended == cudaSuccess) {
      const cudaError_t made = cudaGraphInstantiate(&launches_, graph, 0);
      cudaGraphDestroy(graph);
      require(made);
      return;
    }
    if (graph != nullptr) cudaGraphDestroy(graph);
    if (failure) std::rethrow_exception(failure);
    require(ended);
  }
  ~GpuRecording() override {
    cudaStreamSynchronize(lane_->work);  // where it may still run
    if (launches_ != nullptr) cudaGraphExecDestroy(launches_);
  }
  GpuRecording(const GpuRecording&) = delete;
  GpuRecording& operator=(const GpuRecording&) = delete;

  void run() const override { require(cudaGraphLaunch(launches_, lane_->work)); }

 private:
  std::shared_ptr<Lane> lane_;
  Arena scratch_;  // whose addresses it knows, so nobody else may use it
  cudaGraphExec_t launches_ = nullptr;
};

template <class Real>
class GpuBackend final : public Backend<Real> {
 public:
  explicit GpuBackend(Precision precision) : precision_(precision) {}

  std::string_view name() const override { return nameOf(precision_); }
  std::string details() const override {
    CublasLt& library = lane_->library;
    return library.isThere() ? "large products by " + library.report()
                             : "all products by kernels of its own (" + library.report() + ")";
  }
  const DeviceMemory& memory() const override { return memory_; }

  void forward(const OpCall<Real>& call) const override {
    const Use use(place());
    kernelsOf(call).forward(call);
  }
  void backward(const OpCall<Real>& call) const override {
    const Use use(place());
    kernelsOf(call).backward(call);
  }
  /// The stream would do one part after the other.
  bool splitsWork() const override { return false; }
  bool keepsAll() const override { return false; }
  std::unique_ptr<Recording> record(const std::function<void()>& work) const override {
    return std::make_unique<GpuRecording>(lane_, work);
  }

 private:
  Place place() const {
    Place place = current_place.records ? current_place : Place{lane_->work, &lane_->scratch};
    place.precision = precision_;
    place.library = &lane_->library;
    return place;
  }
  static const OpKernels<Real>& kernelsOf(const OpCall<Real>& call) {
    const DeviceOp* op = findDeviceOp(call.op->name);
    if (op == nullptr)
      throw Error("the GPU has no kernels for '" + std::string(call.op->name) + "'", "cuda",
                  "Train on the CPU with --device cpu");
    return op->template kernels<Real>();
  }

  Precision precision_;
  std::shared_ptr<Lane> lane_ = std::make_shared<Lane>();
  GpuMemory memory_{lane_};
};

const char* obstacle() {
  static const std::string found = findObstacle();
  return found.c_str();
}
template <class Real, Precision precision>
Backend<Real>* make() {
  return new GpuBackend<Real>(precision);
}
template <Precision precision>
constexpr PluginDevice device() {
  return {nameOf(precision), obstacle, make<float, precision>, make<double, precision>};
}

}  // namespace

const DeviceOp* findDeviceOp(std::string_view name) {
  for (const DeviceOp* op : kAll)
    if (op->name == name) return op;
  return nullptr;
}

std::string findObstacle() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorInsufficientDriver) return "there is no NVIDIA driver, or it is too old";
  if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0))
    return "there is no NVIDIA GPU";
  return status == cudaSuccess ? "" : cudaGetErrorString(status);
}

}  // namespace tfm::cuda

extern "C" __attribute__((visibility("default"))) const tfm::Plugin* tfmPlugin() {
  using namespace tfm;
  static constexpr std::array devices{cuda::device<cuda::Precision::Float>(),
                                      cuda::device<cuda::Precision::Tf32>(),
                                      cuda::device<cuda::Precision::Bf16>()};
  static const Plugin plugin{kPluginVersion, TFM_PLUGIN_BUILD, devices.size(), devices.data()};
  return &plugin;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/backend/op.h"

namespace tfm::cuda {

/// The kernels of an op on the device, which follow those of the CPU (core/program/ops); `flops`
/// and `explain` are not set.
struct DeviceOp {
  std::string_view name;
  OpKernels<float> single_precision;
  OpKernels<double> double_precision;

  template <class Real>
  const OpKernels<Real>& kernels() const {
    if constexpr (sizeof(Real) == sizeof(float))
      return single_precision;
    else
      return double_precision;
  }
};

/// From function templates `forward` and `backward` of a type.
template <class Kernels>
constexpr DeviceOp deviceOp(std::string_view name) {
  return {name,
          {&Kernels::template forward<float>, &Kernels::template backward<float>},
          {&Kernels::template forward<double>, &Kernels::template backward<double>}};
}
/// Without a backward.
template <class Kernels>
constexpr DeviceOp deviceForwardOp(std::string_view name) {
  return {name,
          {&Kernels::template forward<float>, nullptr},
          {&Kernels::template forward<double>, nullptr}};
}

/// The op of that name, or nullptr.
const DeviceOp* findDeviceOp(std::string_view name);

/// Asks the driver why no GPU can be used now; empty if one can.
std::string findObstacle();

extern const DeviceOp kEmbedding, kAddPositions, kPadColumns, kLinear, kGroupedLinear, kJoinGroups,
    kActivation, kAdd, kMultiply, kGate, kAffine, kDropout, kLayerNorm, kMaskedLayerNorm, kRmsNorm,
    kRotary, kRepeatHeads, kAttention, kCachedAttention, kRelativeScores, kDistanceScores,
    kSegmentScores, kSequencePool, kPoolIds, kUpsample, kMeanPool, kCrossEntropy, kSquaredError,
    kFill, kScale, kAddSquares, kArgmax, kClipFactor, kSgd, kAdam;

}  // namespace tfm::cuda

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <any>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/backend/op.h"
#include "core/program/parameter_layout.h"

namespace tfm {

/// Index of a tensor in Program::tensors.
using TensorId = std::int32_t;
/// An absent input or output of a step.
inline constexpr TensorId kNoTensor = -1;

/// The kind of memory that holds a tensor.
enum class Role {
  Ids,         ///< tokens, labels or pad flags, set before a run or computed by a step
  Input,       ///< real numbers set before a run
  Parameter,   ///< learned; stored outside the program
  Constant,    ///< fixed when the program is built
  Activation,  ///< computed by a step
  State,       ///< written by steps and kept from run to run, beside the program
};

/// A named row-major matrix, contiguous unless it is a window of a parameter. Sequences have one
/// row per position.
struct TensorInfo {
  std::string name;
  Role role;
  std::int64_t rows;
  std::int64_t cols;
  std::int64_t offset;             ///< of its first element in the memory of its role
  std::int64_t stride = cols;      ///< elements from one row to the next
  TensorId window_of = kNoTensor;  ///< the parameter whose first rows and columns it is
};

/// One call of an op on named tensors.
struct Step {
  const Op* op;      ///< one of ops::kAll
  std::string path;  ///< e.g. "encoder.layers.0.self_attention.query"
  std::vector<TensorId> inputs;
  std::vector<TensorId> outputs;
  std::any arguments;  ///< of the op's argument type; see op_arguments.h
  Site site = {};      ///< the block it belongs to
};

/// Activations begin at cache lines, so that vector loads and the order of summation do not depend
/// on other tensors.
constexpr std::int64_t alignedSize(std::int64_t size) { return (size + 15) / 16 * 16; }

/// Kept keys are read in blocks of so many.
inline constexpr std::int64_t kKeptStep = 64;

/// The batch sizes a program is built for.
struct BatchShape {
  std::int64_t sequences = 1;
  std::int64_t source_length = 0;
  std::int64_t target_length = 0;
  /// Positions whose keys and values a decoder keeps, a multiple of kKeptStep: it reads
  /// target_length more in a run. 0: none, it reads the whole target.
  std::int64_t kept_length = 0;
  auto operator<=>(const BatchShape&) const = default;
};

/// A model as an ordered list of steps on named tensors, for one batch shape. Immutable once built;
/// every intermediate tensor has a name and memory assigned before the first run.
struct Program {
  BatchShape shape;
  std::vector<TensorInfo> tensors;
  std::vector<Step> steps;
  ParameterLayout parameters;
  std::vector<double> constants;  ///< values of all constant tensors
  std::int64_t ids_size = 0;
  std::int64_t input_size = 0;
  std::int64_t activation_size = 0;
  std::int64_t state_size = 0;
  /// Whether attention maps, or gradients of activations after a backward pass, will be read.
  bool watched = true;
  std::unordered_map<std::string, TensorId> index;

  /// The tensor with that name, or kNoTensor.
  TensorId find(std::string_view name) const;
  /// The tensor with that name. Throws Error if there is none.
  const TensorInfo& tensor(std::string_view name) const;
  /// The step that computes a tensor, or nullptr.
  const Step* makerOf(TensorId id) const;
  /// Floating-point operations of a step's forward pass; a multiply-add counts as two.
  std::int64_t flopsOf(const Step& step) const;
  /// The same of one forward pass.
  std::int64_t forwardFlops() const;
  /// Memory in bytes that an executor needs, with or without gradients.
  std::int64_t memoryBytes(std::int64_t bytes_a_number, bool gradients) const;
};

}  // namespace tfm

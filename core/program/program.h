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
/// An input or output that a step does without.
inline constexpr TensorId kNoTensor = -1;

/// Where the memory of a tensor lies.
enum class Role {
  Ids,         ///< tokens, labels or pad flags, given before a run or computed by a step
  Input,       ///< real numbers given before a run
  Parameter,   ///< learned; lives outside the program
  Constant,    ///< fixed when the program is built
  Activation,  ///< computed by a step
};

/// A named matrix. Row-major, without gaps unless it is a window of a parameter; for sequences a
/// row is one position of one sequence.
struct TensorInfo {
  std::string name;
  Role role;
  std::int64_t rows;
  std::int64_t cols;
  std::int64_t offset;             ///< of its first element in the memory of its role
  std::int64_t stride = cols;      ///< numbers from one row to the next
  TensorId window_of = kNoTensor;  ///< the parameter whose first rows and columns it is
};

/// One operation on named tensors.
struct Step {
  const Op* op;      ///< one of ops::kAll
  std::string path;  ///< e.g. "encoder.layers.0.self_attention.query"
  std::vector<TensorId> inputs;
  std::vector<TensorId> outputs;
  std::any arguments;  ///< of the op's own type; see op_arguments.h
  Site site = {};      ///< the block it belongs to
};

/// The sizes of a batch that a program is built for.
struct BatchShape {
  std::int64_t sequences = 1;
  std::int64_t source_length = 0;
  std::int64_t target_length = 0;
  auto operator<=>(const BatchShape&) const = default;
};

/// A model as an ordered list of steps over named tensors, for one batch shape. Immutable once
/// built; every intermediate has a name and a place in memory before anything runs.
struct Program {
  BatchShape shape;
  std::vector<TensorInfo> tensors;
  std::vector<Step> steps;
  ParameterLayout parameters;
  std::vector<double> constants;  ///< values of all constant tensors
  std::int64_t ids_size = 0;
  std::int64_t input_size = 0;
  std::int64_t activation_size = 0;
  std::unordered_map<std::string, TensorId> index;

  /// The tensor of that name, or kNoTensor.
  TensorId find(std::string_view name) const;
  /// The tensor of that name; throws tfm::Error when there is none.
  const TensorInfo& tensor(std::string_view name) const;
  /// Floating-point operations of one forward pass; a multiply-add counts as two.
  std::int64_t forwardFlops() const;
  /// Memory in bytes that one executor needs, with or without gradients.
  std::int64_t memoryBytes(std::int64_t bytes_a_number, bool gradients) const;
};

}  // namespace tfm

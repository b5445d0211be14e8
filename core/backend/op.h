// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <any>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/backend/gradient_view.h"
#include "core/backend/op_arguments.h"
#include "core/base/check.h"

namespace tfm {

struct Op;

/// One call of an op: all that its kernels read and write, as views by position. What a call does
/// without is empty.
///
/// Matrices are row-major; a row is one position of one sequence unless the op says otherwise. A
/// forward overwrites its outputs. A backward *accumulates* into the gradients of the inputs (a
/// fresh one is overwritten) and skips those whose view is empty.
template <class Real>
struct OpCall {
  using In = MatrixView<const Real>;
  using Out = MatrixView<Real>;
  using Gradient = GradientView<Real>;
  using Ids = std::span<const std::int32_t>;

  struct Input {
    In values;  ///< empty where the input is integers
    Ids ids;    ///< one a row; empty where the input is real numbers
    Gradient gradient;
  };
  struct Output {
    Out values;
    In gradient;
  };
  static constexpr std::size_t kMostInputs = 5;
  static constexpr std::size_t kMostOutputs = 5;

  const Op* op = nullptr;
  const std::any* arguments = nullptr;
  RunPosition position;
  std::array<Input, kMostInputs> inputs;
  std::array<Output, kMostOutputs> outputs;
  std::span<std::int32_t> indices;  ///< what an op finds, one a row
  std::span<double> sums;           ///< what an op sums up in double precision

  In in(std::size_t i) const { return inputs[i].values; }
  Ids ids(std::size_t i) const { return inputs[i].ids; }
  Out out(std::size_t i) const { return outputs[i].values; }
  /// Gradient of input i.
  Gradient din(std::size_t i) const { return inputs[i].gradient; }
  /// Gradient of output i.
  In dout(std::size_t i) const { return outputs[i].gradient; }

  template <class Arguments>
  const Arguments& get() const {
    const Arguments* own = std::any_cast<Arguments>(arguments);
    check(own != nullptr, "an op is called with its own arguments");
    return *own;
  }
};

/// The two directions of an op in one precision. Calls on different memory may run on several
/// threads at once.
template <class Real>
struct OpKernels {
  void (*forward)(const OpCall<Real>&) = nullptr;
  void (*backward)(const OpCall<Real>&) = nullptr;
  /// Operations of a forward, a multiply-add counted as two. Reads shapes and arguments only: the
  /// views need no memory.
  std::int64_t (*flops)(const OpCall<Real>&) = nullptr;
};

/// What an op is. Each stands in a file of its own in core/program/ops.
struct Op {
  std::string_view name;
  std::string_view formula;  ///< in the words of the interface
  /// The kernels on the CPU, which those of any other backend are compared with. There is no
  /// backward for an op that is not differentiated, as one that computes integers.
  OpKernels<float> single_precision;
  OpKernels<double> double_precision;
  bool in_place = false;  ///< reads what it overwrites

  template <class Real>
  const OpKernels<Real>& kernels() const {
    if constexpr (sizeof(Real) == sizeof(float))
      return single_precision;
    else
      return double_precision;
  }
};

/// Makes an op from a type with `template <class Real> static void forward(const OpCall<Real>&)`
/// and flops.
template <class Kernels>
constexpr Op makeForwardOp(std::string_view name, std::string_view formula, bool in_place = false) {
  return {name,
          formula,
          {&Kernels::template forward<float>, nullptr, &Kernels::template flops<float>},
          {&Kernels::template forward<double>, nullptr, &Kernels::template flops<double>},
          in_place};
}

/// The same with backward.
template <class Kernels>
constexpr Op makeOp(std::string_view name, std::string_view formula) {
  return {name,
          formula,
          {&Kernels::template forward<float>, &Kernels::template backward<float>,
           &Kernels::template flops<float>},
          {&Kernels::template forward<double>, &Kernels::template backward<double>,
           &Kernels::template flops<double>}};
}

}  // namespace tfm

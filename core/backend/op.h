// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <any>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend/gradient_view.h"
#include "core/backend/op_arguments.h"
#include "core/base/check.h"

namespace tfm {

struct Op;
struct Explanation;
struct StepNumber;
struct StepReader;

/// One call of an op: views of all that its kernels read and write, by position. Absent inputs and
/// outputs are empty.
///
/// Matrices are row-major; a row is one position of one sequence unless the op says otherwise. The
/// forward pass overwrites its outputs. The backward pass *accumulates* into the gradients of the
/// inputs (fresh ones are overwritten) and skips those whose view is empty.
template <class Real>
struct OpCall {
  using In = MatrixView<const Real>;
  using Out = MatrixView<Real>;
  using Gradient = GradientView<Real>;
  using Ids = std::span<const std::int32_t>;

  struct Input {
    In values;  ///< empty for an input of integers
    Ids ids;    ///< one per row; empty for an input of real numbers
    Gradient gradient;
  };
  struct Output {
    Out values;
    In gradient;
  };
  static constexpr std::size_t kMaxInputs = 5;
  static constexpr std::size_t kMaxOutputs = 6;

  const Op* op = nullptr;
  const std::any* arguments = nullptr;
  /// In the memory of the backend, as it changes from run to run. Only ops with random numbers and
  /// masks read it.
  const RunPosition* position = &kFirstPosition;
  std::array<Input, kMaxInputs> inputs;
  std::array<Output, kMaxOutputs> outputs;
  std::span<std::int32_t> indices;  ///< integer results, one per row
  std::span<double> sums;           ///< sums in double precision

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
    check(own != nullptr, "the arguments have the type of the op");
    return *own;
  }
};

/// The kernels of an op in one precision. Calls on different memory may run concurrently.
template <class Real>
struct OpKernels {
  void (*forward)(const OpCall<Real>&) = nullptr;
  void (*backward)(const OpCall<Real>&) = nullptr;
  /// Floating-point operations of the forward pass; a multiply-add counts as two. Reads only shapes
  /// and arguments, so views need no memory.
  std::int64_t (*flops)(const OpCall<Real>&) = nullptr;
  /// How a number of an output is computed, after the forward pass; after the backward pass, what
  /// the step adds to the gradient of a number of an input, or the gradient of an intermediate
  /// number. See explanation.h.
  Explanation (*explain)(const OpCall<Real>&, const StepNumber& of) = nullptr;
};

/// Fastest: those for the processor, and large products by OpenBLAS. Fixed: those that every
/// processor of the architecture has, and products of our own, so that the same training gives the
/// same bytes everywhere; see cpu/target.h.
enum class KernelSet : std::uint8_t { Fastest, Fixed };

/// Groups of ops that are treated alike. Map: a weighted sum of all columns, or of those of a
/// group.
enum class OpKind : std::uint8_t { Other, Map, Norm, Loss };

/// An op. Each is defined in its own file in core/program/ops.
struct Op {
  std::string_view name;
  std::string_view formula;  ///< as shown in the user interface
  /// The kernels on the CPU, which those of any other backend are compared with. There is no
  /// backward for an op that is not differentiated, such as one that computes integers.
  OpKernels<float> single_precision;
  OpKernels<double> double_precision;
  /// KernelSet::Fixed; null where those above are the same on every processor.
  OpKernels<float> fixed_single = {};
  OpKernels<double> fixed_double = {};
  bool in_place = false;  ///< reads what it overwrites
  OpKind kind = OpKind::Other;
  /// The symbols of its outputs and of its inputs in the formulas of its explanations, parted by
  /// spaces; "|" parts several for one, "~" is a space in one and "*" marks a statistic.
  std::string_view output_symbols = {};
  std::string_view input_symbols = {};
  /// Says what a step does in its model, without a full stop; see op_description.h.
  std::string (*sentence)(const StepReader&) = nullptr;
  /// For each position of a sequence that is written, those of the sequence read that it is made
  /// of. Null where positions stay what they are.
  std::vector<std::vector<std::int64_t>> (*positions)(const std::any& arguments) = nullptr;

  template <class Real>
  const OpKernels<Real>& kernels(KernelSet set = KernelSet::Fastest) const {
    const bool fixed = set == KernelSet::Fixed && fixed_single.forward != nullptr;
    if constexpr (sizeof(Real) == sizeof(float))
      return fixed ? fixed_single : single_precision;
    else
      return fixed ? fixed_double : double_precision;
  }
};

/// Makes an op without backward from a type with
/// `template <class Real> static void forward(const OpCall<Real>&)` and flops.
template <class Kernels>
constexpr Op makeForwardOp(std::string_view name, std::string_view formula, bool in_place = false) {
  return {name,
          formula,
          {&Kernels::template forward<float>, nullptr, &Kernels::template flops<float>},
          {&Kernels::template forward<double>, nullptr, &Kernels::template flops<double>},
          {},
          {},
          in_place};
}

/// Makes an op from a type with forward, backward and flops.
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

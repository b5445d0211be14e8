// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/program/program.h"
#include "core/program/step_context.h"

namespace tfm {

/// The two directions of an op on one precision.
template <class Real>
struct OpKernels {
  void (*forward)(const StepContext<Real>&);
  void (*backward)(const StepContext<Real>&);
};

/// What an op is: one row of the table.
struct OpDefinition {
  Op op;
  std::string_view name;
  std::string_view formula;  ///< in the words of the interface
  std::int64_t (*flops)(const Program&, const Step&);
  OpKernels<float> single_precision;
  OpKernels<double> double_precision;
};

const OpDefinition& opDefinition(Op op);
/// How many rows there are: one for each entry of Op.
std::size_t opCount();

template <class Real>
const OpKernels<Real>& kernels(Op op) {
  if constexpr (sizeof(Real) == sizeof(float))
    return opDefinition(op).single_precision;
  else
    return opDefinition(op).double_precision;
}

/// The rows, each made in the file of its op.
OpDefinition embeddingOp();
OpDefinition addPositionsOp();
OpDefinition padColumnsOp();
OpDefinition linearOp();
OpDefinition activationOp();
OpDefinition addOp();
OpDefinition gateOp();
OpDefinition dropoutOp();
OpDefinition layerNormOp();
OpDefinition maskedLayerNormOp();
OpDefinition rmsNormOp();
OpDefinition attentionOp();
OpDefinition meanPoolOp();
OpDefinition crossEntropyOp();
OpDefinition squaredErrorOp();

/// Makes a row from a type with `template <class Real> static void forward(const
/// StepContext<Real>&)` and backward.
template <class Kernels>
OpDefinition makeOp(Op op, std::string_view name, std::string_view formula,
                    std::int64_t (*flops)(const Program&, const Step&)) {
  return {op,
          name,
          formula,
          flops,
          {&Kernels::template forward<float>, &Kernels::template backward<float>},
          {&Kernels::template forward<double>, &Kernels::template backward<double>}};
}

/// Elements of a step's first output, the cost of an element-wise step times `each`.
std::int64_t outputElements(const Program& program, const Step& step);

}  // namespace tfm

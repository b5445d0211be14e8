// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/program/ops/op_table.h"
#include "core/program/ops/ops.h"

namespace tfm {
namespace {

struct AddPositionsKernels {
  template <class Real>
  static void forward(const StepContext<Real>& c) {
    c.backend.addPositions(c.out(0), c.in(0), c.in(1),
                           c.template arguments<SequenceArguments>().length);
  }
  template <class Real>
  static void backward(const StepContext<Real>& c) {
    c.backend.addPositionsBackward(c.inGradient(0), c.inGradient(1), c.outGradient(0),
                                   c.template arguments<SequenceArguments>().length);
  }
};

}  // namespace

OpDefinition addPositionsOp() {
  return makeOp<AddPositionsKernels>(Op::AddPositions, "add positions",
                                     "y[r] = x[r] + positions[r mod length]", outputElements);
}

namespace ops {

TensorId addPositions(ProgramBuilder& b, const std::string& path, TensorId x, TensorId positions,
                      std::int64_t length) {
  const TensorInfo t = b.tensor(x);
  check(b.tensor(positions).cols == t.cols && b.tensor(positions).rows >= length &&
            t.rows % length == 0,
        "add positions: the table covers the sequences");
  const TensorId y = b.activation(path, t.rows, t.cols);
  b.append({Op::AddPositions, path, {x, positions}, {y}, SequenceArguments{length}});
  return y;
}

}  // namespace ops

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/program/ops/op_table.h"
#include "core/program/ops/ops.h"

namespace tfm {
namespace {

struct PadColumnsKernels {
  template <class Real>
  static void forward(const StepContext<Real>& c) {
    c.backend.padColumns(c.out(0), c.in(0));
  }
  template <class Real>
  static void backward(const StepContext<Real>& c) {
    c.backend.padColumnsBackward(c.inGradient(0), c.outGradient(0));
  }
};

std::int64_t noFlops(const Program&, const Step&) { return 0; }

}  // namespace

OpDefinition padColumnsOp() {
  return makeOp<PadColumnsKernels>(Op::PadColumns, "pad columns", "y = x, then columns of zeros",
                                   noFlops);
}

namespace ops {

TensorId padColumns(ProgramBuilder& b, const std::string& path, TensorId x, std::int64_t cols) {
  const TensorInfo t = b.tensor(x);
  check(cols >= t.cols, "pad columns: at least the columns that there are");
  const TensorId y = b.activation(path, t.rows, cols);
  b.append({Op::PadColumns, path, {x}, {y}, {}});
  return y;
}

}  // namespace ops

}  // namespace tfm

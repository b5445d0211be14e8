// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"
#include "core/tensor/eigen_map.h"

namespace tfm::ops {
namespace {

struct PadColumnsKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto x = c.in(0);
    const auto y = c.out(0);
    map(y).leftCols(x.cols) = map(x);
    map(y).rightCols(y.cols - x.cols).setZero();
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const auto dx = clearIfFresh(c.din(0));
    if (dx) map(dx) += map(c.dout(0)).leftCols(dx.cols);
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>&) {
    return 0;
  }
};

using namespace explain;

struct PadColumnsExplained {
  static constexpr std::string_view kOutputs = "y", kInputs = "x";
  static std::string sentence(const StepReader& s) {
    return atEach(s.out()) + numbers(s.in(0).cols) + " are followed by zeros, " +
           std::to_string(s.out().cols) + " in all";
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    Explanation e{of.gradient ? "dx[r, c] = dy[r, c]"
                              : "y[r, c] = x[r, c], 0 beyond the columns of x"};
    if (of.gradient)
      product(e, c, 1, {d(out(0, of.row, of.col))});
    else if (of.col < c.in(0).cols)
      product(e, c, 1, {in(0, of.row, of.col)});
    return e;
  }
};

}  // namespace

const Op kPadColumns = explained<PadColumnsExplained>(
    makeOp<PadColumnsKernels>("pad columns", "y = x, then columns of zeros"));

TensorId padColumns(ProgramBuilder& b, const std::string& path, TensorId x, std::int64_t cols) {
  const TensorInfo t = b.tensor(x);
  check(cols >= t.cols, "pad columns: at least as many columns as the input");
  const TensorId y = b.activation(path, t.rows, cols);
  b.append({&kPadColumns, path, {x}, {y}, {}});
  return y;
}

}  // namespace tfm::ops

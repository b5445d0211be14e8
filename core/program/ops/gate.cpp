// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"
#include "core/tensor/eigen_map.h"

namespace tfm::ops {
namespace {

struct GateKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto x = c.in(0), f = c.in(1);
    map(c.out(0)) = map(x) + c.in(2).at(0, 0) * (map(f) - map(x));
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const auto dx = clearIfFresh(c.din(0)), df = clearIfFresh(c.din(1)),
               dg = clearIfFresh(c.din(2));
    const auto dy = c.dout(0);
    const Real open = c.in(2).at(0, 0);
    if (dx) map(dx) += (Real(1) - open) * map(dy);
    if (df) map(df) += open * map(dy);
    if (dg) dg.at(0, 0) += map(dy).cwiseProduct(map(c.in(1)) - map(c.in(0))).sum();
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return 3 * c.out(0).size();
  }
};

using namespace explain;

struct GateExplained {
  static constexpr std::string_view kOutputs = "y", kInputs = "x f g";
  static std::string sentence(const StepReader& s) {
    return "A gate, " + s.inName(2) + ", mixes " + s.inName(0) + " (where it is 0) and " +
           s.inName(1) + " (where it is 1)";
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const StepNumber g = in(2, 0, 0);
    const double open = numberIn(c, g);
    if (!of.gradient) {
      const StepNumber x = in(0, of.row, of.col);
      Explanation e{"y[r, c] = (1 - g) x[r, c] + g f[r, c]"};
      product(e, c, 1.0 - open, {x}, {g});
      product(e, c, 1, {in(1, of.row, of.col), g});
      return e;
    }
    const StepNumber dy = d(out(0, of.row, of.col));
    if (of.index < 2) {
      Explanation e{of.index == 0 ? "dx[r, c] = (1 - g) dy[r, c]" : "df[r, c] = g dy[r, c]"};
      if (of.index == 0)
        product(e, c, 1.0 - open, {dy}, {g});
      else
        product(e, c, 1, {dy, g});
      return e;
    }
    Explanation e{"dg = sum_r,c dy[r, c] (f[r, c] - x[r, c])"};
    for (std::int64_t r = 0; r < c.out(0).rows; ++r)
      for (std::int64_t j = 0; j < c.out(0).cols; ++j) {
        product(e, c, 1, {d(out(0, r, j)), in(1, r, j)});
        product(e, c, -1, {d(out(0, r, j)), in(0, r, j)});
      }
    return e;
  }
};

}  // namespace

const Op kGate = explained<GateExplained>(makeOp<GateKernels>("gate", "y = x + g (f - x)"));

TensorId gate(ProgramBuilder& b, const std::string& path, TensorId x, TensorId f, TensorId gate) {
  const TensorInfo t = b.tensor(x);
  check(b.tensor(f).rows == t.rows && b.tensor(f).cols == t.cols, "gate: equal shapes");
  check(b.tensor(gate).rows == 1 && b.tensor(gate).cols == 1, "gate: the gate is a scalar");
  const TensorId y = b.activation(path, t.rows, t.cols);
  b.append({&kGate, path, {x, f, gate}, {y}, {}});
  return y;
}

}  // namespace tfm::ops

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"
#include "core/tensor/eigen_map.h"

namespace tfm::ops {
namespace {

struct SquaredErrorKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Real scale = Real(c.template get<SquaredErrorArguments>().scale);
    c.out(0).at(0, 0) = scale * (map(c.in(0)) - map(c.in(1))).squaredNorm();
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const auto dx = clearIfFresh(c.din(0));
    const Real scale = Real(c.template get<SquaredErrorArguments>().scale);
    if (dx) map(dx) += (Real(2) * scale * c.dout(0).at(0, 0)) * (map(c.in(0)) - map(c.in(1)));
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return 3 * c.in(0).size();
  }
};

using namespace explain;

struct SquaredErrorExplained {
  static constexpr std::string_view kOutputs = "loss", kInputs = "x target";
  static std::string sentence(const StepReader& s) {
    return "The loss is how far " + numbers(s.in(0).rows * s.in(0).cols) +
           " are from those wanted, squared";
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const double scale = c.template get<SquaredErrorArguments>().scale;
    const auto difference = [&](std::int64_t row, std::int64_t col) {
      return numberIn(c, in(0, row, col)) - numberIn(c, in(1, row, col));
    };
    if (of.gradient) {
      const StepNumber loss = d(out(0, 0, 0));
      return {"dx[r, c] = 2 scale (x[r, c] - target[r, c]) dloss",
              {{2.0 * scale * difference(of.row, of.col) * numberIn(c, loss),
                {in(0, of.row, of.col), in(1, of.row, of.col), loss}}}};
    }
    Explanation e{"loss = scale * sum_r,c (x[r, c] - target[r, c])^2"};
    for (std::int64_t r = 0; r < c.in(0).rows; ++r)
      for (std::int64_t j = 0; j < c.in(0).cols; ++j)
        e.terms.push_back(
            {scale * difference(r, j) * difference(r, j), {in(0, r, j), in(1, r, j)}});
    return e;
  }
};

}  // namespace

const Op kSquaredError = explained<SquaredErrorExplained>(
    makeOp<SquaredErrorKernels>("squared error", "loss = scale * sum (x - target)^2"),
    OpKind::Loss);

TensorId squaredError(ProgramBuilder& b, const std::string& path, TensorId x, TensorId target,
                      double scale) {
  const TensorInfo t = b.tensor(x);
  check(b.tensor(target).rows == t.rows && b.tensor(target).cols == t.cols,
        "squared error: equal shapes");
  const TensorId loss = b.activation(path, 1, 1);
  b.append({&kSquaredError, path, {x, target}, {loss}, SquaredErrorArguments{scale}});
  return loss;
}

}  // namespace tfm::ops

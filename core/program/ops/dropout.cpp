// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"

namespace tfm::ops {
namespace {

struct DropoutKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Dropout dropout(c.template get<DropoutArguments>(), *c.position);
    const auto y = c.out(0);
    const auto x = c.in(0);
    const Real kept = Real(1.0 / (1.0 - dropout.rate));
    for (std::int64_t r = 0; r < x.rows; ++r)
      for (std::int64_t j = 0; j < x.cols; ++j)
        y.at(r, j) = dropout.keeps(r, x.cols, j) ? x.at(r, j) * kept : Real(0);
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    // Drawn again: the same elements as in forward().
    const Dropout dropout(c.template get<DropoutArguments>(), *c.position);
    const auto dx = clearIfFresh(c.din(0));
    const auto dy = c.dout(0);
    if (!dx) return;
    const Real kept = Real(1.0 / (1.0 - dropout.rate));
    for (std::int64_t r = 0; r < dy.rows; ++r)
      for (std::int64_t j = 0; j < dy.cols; ++j)
        if (dropout.keeps(r, dy.cols, j)) dx.at(r, j) += dy.at(r, j) * kept;
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return c.out(0).size();
  }
};

using namespace explain;

struct DropoutExplained {
  static constexpr std::string_view kOutputs = "y", kInputs = "x";
  static std::string sentence(const StepReader& s) {
    return "Some of " + numbers(s.out().rows * s.out().cols) +
           ", drawn at random, become 0; the others grow to make up for them";
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const Dropout dropout(c.template get<DropoutArguments>(), *c.position);
    Explanation e{of.gradient ? "dx[r, c] = dy[r, c] keep / (1 - rate)"
                              : "y[r, c] = x[r, c] keep / (1 - rate)"};
    if (dropout.keeps(of.row, c.in(0).cols, of.col))
      product(e, c, 1.0 / (1.0 - dropout.rate),
              {of.gradient ? d(out(0, of.row, of.col)) : in(0, of.row, of.col)});
    return e;
  }
};

}  // namespace

// keep is 0 or 1, drawn for each element (Srivastava et al. 2014; inverted dropout).
const Op kDropout =
    explained<DropoutExplained>(makeOp<DropoutKernels>("dropout", "y = x * keep / (1 - rate)"));

TensorId dropout(ProgramBuilder& b, const std::string& path, TensorId x, double rate) {
  if (!b.training() || rate == 0.0) return x;
  const TensorInfo t = b.tensor(x);
  const TensorId y = b.activation(path, t.rows, t.cols);
  b.append({&kDropout,
            path,
            {x},
            {y},
            DropoutArguments{rate, b.nextDropoutStream(), t.rows / b.shape().sequences}});
  return y;
}

}  // namespace tfm::ops

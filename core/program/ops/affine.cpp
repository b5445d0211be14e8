// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"

namespace tfm::ops {
namespace {

/// Calls work(r, t, j) for each number of x, of which row r has the factors of row t.
template <class Real, class Work>
void overNumbers(const OpCall<Real>& c, const Work& work) {
  const auto x = c.in(0), factor = c.in(1);
  for (std::int64_t first = 0; first < x.rows; first += factor.rows)
    for (std::int64_t t = 0; t < factor.rows; ++t)
      for (std::int64_t j = 0; j < x.cols; ++j) work(first + t, t, j);
}

struct AffineKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto x = c.in(0), factor = c.in(1), added = c.in(2);
    const auto y = c.out(0);
    overNumbers(c, [&](std::int64_t r, std::int64_t t, std::int64_t j) {
      const Real m = factor.at(t, j);
      y.at(r, j) = m == Real(0) ? added.at(t, j) : m * x.at(r, j) + added.at(t, j);
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const auto x = c.in(0), factor = c.in(1);
    const auto dx = clearIfFresh(c.din(0)), dfactor = clearIfFresh(c.din(1)),
               dadded = clearIfFresh(c.din(2));
    const auto dy = c.dout(0);
    overNumbers(c, [&](std::int64_t r, std::int64_t t, std::int64_t j) {
      if (dx) dx.at(r, j) += factor.at(t, j) * dy.at(r, j);
      if (dfactor) dfactor.at(t, j) += x.at(r, j) * dy.at(r, j);
      if (dadded) dadded.at(t, j) += dy.at(r, j);
    });
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return 2 * c.out(0).size();
  }
};

using namespace explain;

struct AffineExplained {
  static constexpr std::string_view kOutputs = "y", kInputs = "x m a";
  static std::string sentence(const StepReader& s) {
    if (!s.step.path.ends_with(" (changed)"))
      return "The weight of " + s.inName(0) + " in the sum of all losses multiplies it";
    return "An intervention changes numbers of " + s.name(s.step.outputs.front()) +
           ": each is scaled by a factor, 1 where it stays, and a number is added";
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const std::int64_t rows = c.in(1).rows;
    if (!of.gradient) {
      const StepNumber m = in(1, of.row % rows, of.col);
      Explanation e{"y[r, c] = m[r, c] x[r, c] + a[r, c]"};
      if (numberIn(c, m) != 0.0) product(e, c, 1, {m, in(0, of.row, of.col)});
      product(e, c, 1, {in(2, of.row % rows, of.col)});
      return e;
    }
    if (of.index == 0) {
      Explanation e{"dx[r, c] = m[r, c] dy[r, c]"};
      product(e, c, 1, {in(1, of.row % rows, of.col), d(out(0, of.row, of.col))});
      return e;
    }
    Explanation e{of.index == 1 ? "dm[t, c] = sum of x[r, c] dy[r, c] over the rows of t"
                                : "da[t, c] = sum of dy[r, c] over the rows of t"};
    for (std::int64_t r = of.row; r < c.out(0).rows; r += rows) {
      const StepNumber dy = d(out(0, r, of.col));
      if (of.index == 1)
        product(e, c, 1, {in(0, r, of.col), dy});
      else
        product(e, c, 1, {dy});
    }
    return e;
  }
};

}  // namespace

const Op kAffine = explained<AffineExplained>(
    makeOp<AffineKernels>("affine", "y[r] = m[r mod rows of m] x[r] + a[r mod rows of a]"));

TensorId affine(ProgramBuilder& b, const std::string& path, TensorId x, TensorId factor,
                TensorId added) {
  const TensorInfo t = b.tensor(x), m = b.tensor(factor), a = b.tensor(added);
  check(m.cols == t.cols && a.cols == t.cols && m.rows == a.rows && t.rows % m.rows == 0,
        "affine: factors and summands have the columns of x and a divisor of its rows");
  const TensorId y = b.activation(path, t.rows, t.cols);
  b.append({&kAffine, path, {x, factor, added}, {y}, {}});
  return y;
}

}  // namespace tfm::ops

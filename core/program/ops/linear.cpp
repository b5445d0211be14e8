// SPDX-License-Identifier: GPL-3.0-or-later
#define HWY_TARGET_INCLUDE "core/program/ops/linear.cpp"
#include <hwy/foreach_target.h>  // comes before highway.h

#include "core/backend/cpu/scratch.h"
#include "core/backend/cpu/target.h"
#include "core/backend/cpu/tile_product.h"
#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"
#include "core/tensor/eigen_map.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::ops::HWY_NAMESPACE {
namespace {

using namespace cpu::HWY_NAMESPACE;

// Products with so few rows take as long as reading the weight once.
constexpr std::int64_t kFewRows = 8;

/// y = x W^T + b, W read once from its first number to its last, as memory gives it fastest.
template <class Real>
void rowProducts(MatrixView<Real> y, MatrixView<const Real> x, MatrixView<const Real> w,
                 MatrixView<const Real> b) {
  constexpr std::int64_t kSums = 4, kStep = kSums * kTile<Real>;
  const std::int64_t whole = w.cols / kStep * kStep;
  for (std::int64_t i = 0; i < w.rows; ++i) {
    const Real* weights = w.row(i);
    for (std::int64_t r = 0; r < x.rows; ++r) {
      const Real* in = x.row(r);
      // Independent sums hide the latency.
      Lane<Real> sums[kSums];
      for (Lane<Real>& sum : sums) sum = allOf(Real(0));
      for (std::int64_t j = 0; j < whole; j += kStep) {
#pragma GCC unroll 4
        for (std::int64_t n = 0; n < kSums; ++n) {
          const std::int64_t at = j + n * kTile<Real>;
          sums[n] = hn::MulAdd(loadLane(weights + at), loadLane(in + at), sums[n]);
        }
      }
      overRow<Real>(w.cols - whole, [&](std::int64_t j, std::int64_t left) {
        sums[0] = hn::MulAdd(loadSome(weights + whole + j, left), loadSome(in + whole + j, left),
                             sums[0]);
      });
      const Real sum = sumOf<Real>(hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3])));
      y.at(r, i) = b ? sum + b.at(0, i) : sum;
    }
  }
}

template <bool by_tiles>
struct LinearKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto x = c.in(0), w = c.in(1), b = c.in(2);
    const auto y = c.out(0);
    if (by_tiles || areSmall(w.size())) {
      const auto [memory] = cpu::scratch<Real>(w.size());
      const MatrixView<Real> w_transposed(memory, w.cols, w.rows);
      transpose(w_transposed, w);
      return tileProduct<Real>(y, cpu::plain(x), w_transposed, b.data);
    }
    if (x.rows <= kFewRows) return rowProducts<Real>(y, x, w, b);
    if (b)
      map(y).rowwise() = map(b).row(0);
    else
      map(y).setZero();
    map(y).noalias() += map(x) * map(w).transpose();
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    // dx = dy W,  dw = dy^T x,  db = sum_r dy[r]
    const auto dx = c.din(0), dw = c.din(1), db = c.din(2);
    const auto dy = c.dout(0), x = c.in(0), w = c.in(1);
    if (by_tiles || areSmall(w.size())) {
      accumulateTiles(dx, cpu::plain(dy), w);
      accumulateTiles(dw, cpu::transposed(dy), x);
    } else {
      if (dx) map(clearIfFresh(dx)).noalias() += map(dy) * map(w);
      if (dw) map(clearIfFresh(dw)).noalias() += map(dy).transpose() * map(x);
    }
    if (db) addRows<Real>(clearIfFresh(db), dy);
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return c.out(0).rows * (2 * c.in(1).size() + c.in(2).cols);
  }
};

template <bool by_tiles>
Op linearFor() {
  return makeOp<LinearKernels<by_tiles>>("linear", "y = x W^T + b");
}
Op linearOp(KernelSet set) {
  const bool by_tiles = set == KernelSet::Fixed || !cpu::openBlasKeepsUp();
  return by_tiles ? linearFor<true>() : linearFor<false>();
}

}  // namespace
}  // namespace tfm::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tfm::ops {

HWY_EXPORT(linearOp);
namespace {

using namespace explain;

struct LinearExplained {
  static constexpr std::string_view kOutputs = "y", kInputs = "x W b";
  static std::string sentence(const StepReader& s) {
    return atEach(s.out()) + numbers(s.in(0).cols) + " become " + std::to_string(s.out().cols) +
           ": each is a sum of them all, weighted by a row of " + s.inName(1) +
           (s.has(2) ? ", and a bias" : "");
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const auto x = c.in(0), w = c.in(1);
    if (!of.gradient) {
      Explanation e{"y[r, c] = sum_j x[r, j] W[c, j] + b[c]"};
      for (std::int64_t j = 0; j < x.cols; ++j)
        product(e, c, 1, {in(0, of.row, j), in(1, of.col, j)});
      if (c.in(2)) product(e, c, 1, {in(2, 0, of.col)});
      return e;
    }
    if (of.index == 0) {
      Explanation e{"dx[r, j] = sum_c dy[r, c] W[c, j]"};
      for (std::int64_t i = 0; i < w.rows; ++i)
        product(e, c, 1, {d(out(0, of.row, i)), in(1, i, of.col)});
      return e;
    }
    const bool weight = of.index == 1;
    Explanation e{weight ? "dW[c, j] = sum_r dy[r, c] x[r, j]" : "db[c] = sum_r dy[r, c]"};
    for (std::int64_t r = 0; r < x.rows; ++r) {
      if (weight)
        product(e, c, 1, {d(out(0, r, of.row)), in(0, r, of.col)});
      else
        product(e, c, 1, {d(out(0, r, of.col))});
    }
    return e;
  }
};

}  // namespace

const Op kLinear = explained<LinearExplained>(
    cpu::onTargets([](KernelSet set) { return HWY_DYNAMIC_DISPATCH(linearOp)(set); }), OpKind::Map);

TensorId linear(ProgramBuilder& b, const std::string& path, TensorId x, TensorId weight,
                TensorId bias) {
  const TensorInfo w = b.tensor(weight);
  check(b.tensor(x).cols == w.cols, "linear: the input has as many columns as the weight");
  check(bias == kNoTensor || b.tensor(bias).cols == w.rows, "linear: one bias per output");
  const TensorId y = b.activation(path, b.tensor(x).rows, w.rows);
  b.append({&kLinear, path, {x, weight, bias}, {y}, {}});
  return y;
}

}  // namespace tfm::ops
#endif

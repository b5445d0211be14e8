// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#define HWY_TARGET_INCLUDE "core/program/ops/linear.cpp"
#include <hwy/foreach_target.h>  // comes before highway.h

#include "core/backend/cpu/scratch.h"
#include "core/backend/cpu/target.h"
#include "core/backend/cpu/tile_product.h"
#include "core/program/ops/ops.h"
#include "core/tensor/eigen_map.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::ops::HWY_NAMESPACE {
namespace {

using namespace cpu::HWY_NAMESPACE;

// Up to this many weights the tile product measured at least as fast as the large one.
constexpr std::int64_t kSmallWeights = 128 * 128;

template <class Real>
bool areSmall(MatrixView<const Real> weights) {
  return weights.size() <= kSmallWeights;
}

/// gradient += a b for small matrices.
template <class Real>
void accumulateTiles(const GradientView<Real>& gradient, cpu::StridedMatrix<Real> a,
                     MatrixView<const Real> b) {
  if (!gradient) return;
  if (gradient.fresh)
    tileProduct<Real>(gradient.sum, a, b);
  else
    addTileProduct<Real>(gradient.sum, a, b);
}

struct LinearKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto x = c.in(0), w = c.in(1), b = c.in(2);
    const auto y = c.out(0);
    if (areSmall(w)) {
      const auto [memory] = cpu::scratch<Real>(w.size());
      const MatrixView<Real> w_transposed(memory, w.cols, w.rows);
      transpose(w_transposed, w);
      return tileProduct<Real>(y, cpu::plain(x), w_transposed, b.data);
    }
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
    if (areSmall(w)) {
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

Op linearOp() { return makeOp<LinearKernels>("linear", "y = x W^T + b"); }

}  // namespace
}  // namespace tfm::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tfm::ops {

HWY_EXPORT(linearOp);
const Op kLinear = cpu::onChosenTarget([] { return HWY_DYNAMIC_DISPATCH(linearOp)(); });

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

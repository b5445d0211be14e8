// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/backend/cpu/large_product.h"
#include "core/backend/cpu/scratch.h"
#include "core/backend/cpu/tile_product.h"
#include "core/program/ops/ops.h"

namespace tfm::ops {
namespace {

using namespace cpu;

// Up to this many weights the tile product was as fast as the large one, or faster.
constexpr std::int64_t kSmallWeights = 128 * 128;

template <class Real>
bool areSmall(MatrixView<const Real> weights) {
  return weights.size() <= kSmallWeights;
}

/// The sum of a gradient with the product of a and b.
template <class Real>
void accumulateProduct(GradientView<Real> gradient, StridedMatrix<Real> a, MatrixView<const Real> b,
                       bool small) {
  if (!gradient) return;
  const MatrixView<Real> sum = gradient.sum;
  if (small && gradient.fresh)
    tileProduct<Real>(sum, a, b);
  else if (small)
    addTileProduct<Real>(sum, a, b);
  else if (gradient.fresh)
    largeProduct<Real>(sum, a, plain(b), b.rows);
  else
    addLargeProduct<Real>(sum, a, plain(b), b.rows);
}

struct LinearKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto x = c.in(0), w = c.in(1), b = c.in(2);
    const auto y = c.out(0);
    if (areSmall(w)) {
      const auto [memory] = scratch<Real>(w.size());
      const MatrixView<Real> w_transposed(memory, w.cols, w.rows);
      transpose(w_transposed, w);
      tileProduct<Real>(y, plain(x), w_transposed, b.data);
    } else if (b) {
      for (std::int64_t r = 0; r < y.rows; ++r) std::copy_n(b.data, b.cols, y.row(r));
      addLargeProduct<Real>(y, plain(x), transposed(w), w.cols);
    } else {
      largeProduct<Real>(y, plain(x), transposed(w), w.cols);
    }
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    // dx = dy W,  dw = dy^T x,  db = the sum of dy's rows
    const auto dy = c.dout(0), x = c.in(0), w = c.in(1);
    accumulateProduct(c.din(0), plain(dy), w, areSmall(w));
    accumulateProduct(c.din(1), transposed(dy), x, areSmall(w));
    if (c.din(2)) addRows<Real>(begun(c.din(2)), dy);
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return c.out(0).rows * (2 * c.in(1).size() + c.in(2).cols);
  }
};

}  // namespace

const Op kLinear = makeOp<LinearKernels>("linear", "y = x W^T + b");

TensorId linear(ProgramBuilder& b, const std::string& path, TensorId x, TensorId weight,
                TensorId bias) {
  const TensorInfo w = b.tensor(weight);
  check(b.tensor(x).cols == w.cols, "linear: the input is as wide as the weight's columns");
  check(bias == kNoTensor || b.tensor(bias).cols == w.rows, "linear: one bias an output");
  const TensorId y = b.activation(path, b.tensor(x).rows, w.rows);
  b.append({&kLinear, path, {x, weight, bias}, {y}, {}});
  return y;
}

}  // namespace tfm::ops

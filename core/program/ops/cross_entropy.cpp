// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "core/backend/cpu/eigen_map.h"
#include "core/backend/cpu/exponential.h"
#include "core/backend/cpu/lanes.h"
#include "core/program/ops/ops.h"

namespace tfm::ops {
namespace {

/// out = exp(in - highest), but at least exp(kLowestExponent); returns their sum.
template <class Real>
Real exponentials(Real* out, const Real* in, std::int64_t count, Real highest) {
  namespace ei = Eigen::internal;
  using namespace cpu;
  const Lane<Real> top = allOf(highest);
  const Lane<Real> lowest = allOf(kLowestExponent<Real>);
  Lane<Real> sums = allOf(Real(0));
  for (std::int64_t j = 0; j < count; j += kTile<Real>) {
    const std::int64_t left = count - j;
    const Lane<Real> exponent = ei::pmax(ei::psub(loadSome(in + j, left), top), lowest);
    const Lane<Real> share = exponential(exponent);
    storeSome(out + j, share, left);
    sums = ei::padd(sums, left >= kTile<Real> ? share : firstOf(share, left));
  }
  return ei::predux(sums);
}

struct CrossEntropyKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto logits = c.in(0), weights = c.in(2);
    const auto labels = c.ids(1);
    const auto probabilities = c.out(1);
    double total = 0.0;
    for (std::int64_t r = 0; r < logits.rows; ++r) {
      check(labels[r] >= 0 && labels[r] < logits.cols, "cross-entropy: labels lie in the output");
      const Real highest = cpu::map(logits).row(r).maxCoeff();
      const Real sum = exponentials(probabilities.row(r), logits.row(r), logits.cols, highest);
      cpu::map(probabilities).row(r) *= Real(1) / sum;
      if (weights.at(r, 0) == Real(0)) continue;
      // -log softmax from the logits themselves: log of a rounded probability would lose its
      // digits.
      const double loss_r =
          std::log(double(sum)) + double(highest) - double(logits.at(r, labels[r]));
      total += double(weights.at(r, 0)) * loss_r;
    }
    c.out(0).at(0, 0) = Real(total);
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    // dlogits = weight * (softmax(logits) - one_hot(label)) * dloss
    const auto dlogits = begun(c.din(0));
    if (!dlogits) return;
    const MatrixView<const Real> probabilities = c.out(1);
    const auto labels = c.ids(1);
    for (std::int64_t r = 0; r < probabilities.rows; ++r) {
      const Real factor = c.in(2).at(r, 0) * c.dout(0).at(0, 0);
      if (factor == Real(0)) continue;
      cpu::map(dlogits).row(r) += factor * cpu::map(probabilities).row(r);
      dlogits.at(r, labels[r]) -= factor;
    }
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return 5 * c.in(0).size();
  }
};

}  // namespace

const Op kCrossEntropy = makeOp<CrossEntropyKernels>(
    "cross-entropy", "loss = sum_r weight[r] * -log softmax(logits[r])[label[r]]");

TensorId crossEntropy(ProgramBuilder& b, const std::string& path, TensorId logits, TensorId labels,
                      TensorId weights) {
  const TensorInfo t = b.tensor(logits);
  check(b.tensor(labels).rows == t.rows && b.tensor(weights).rows == t.rows,
        "cross-entropy: a label and a weight a row");
  const TensorId loss = b.activation(path, 1, 1);
  const TensorId probabilities = b.activation(path + ".probabilities", t.rows, t.cols);
  b.append({&kCrossEntropy, path, {logits, labels, weights}, {loss, probabilities}, {}});
  return loss;
}

}  // namespace tfm::ops

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/loss.h"

#include <cmath>

#include "core/backend/cpu/eigen_map.h"
#include "core/backend/cpu/exponential.h"
#include "core/backend/cpu/lanes.h"
#include "core/base/check.h"

namespace tfm::cpu {
namespace {

/// out = exp(in - highest), but at least exp(kLowestExponent); returns their sum.
template <class Real>
Real exponentials(Real* out, const Real* in, std::int64_t count, Real highest) {
  namespace ei = Eigen::internal;
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

}  // namespace

template <class Real>
void CrossEntropy<Real>::forward(Out loss, Out probabilities, In logits, Ids labels, In weights) {
  double total = 0.0;
  for (std::int64_t r = 0; r < logits.rows; ++r) {
    check(labels[r] >= 0 && labels[r] < logits.cols, "cross-entropy: labels lie in the output");
    const Real highest = map(logits).row(r).maxCoeff();
    const Real sum = exponentials(probabilities.row(r), logits.row(r), logits.cols, highest);
    map(probabilities).row(r) *= Real(1) / sum;
    if (weights.at(r, 0) == Real(0)) continue;
    // -log softmax from the logits themselves: log of a rounded probability would lose its digits.
    const double loss_r = std::log(double(sum)) + double(highest) - double(logits.at(r, labels[r]));
    total += double(weights.at(r, 0)) * loss_r;
  }
  loss.at(0, 0) = Real(total);
}

template <class Real>
void CrossEntropy<Real>::backward(Out dlogits, In dloss, In probabilities, Ids labels, In weights) {
  // dlogits = weight * (softmax(logits) - one_hot(label)) * dloss
  if (!dlogits) return;
  for (std::int64_t r = 0; r < probabilities.rows; ++r) {
    const Real factor = weights.at(r, 0) * dloss.at(0, 0);
    if (factor == Real(0)) continue;
    map(dlogits).row(r) += factor * map(probabilities).row(r);
    dlogits.at(r, labels[r]) -= factor;
  }
}

template <class Real>
void SquaredError<Real>::forward(Out loss, In x, In target, Real scale) {
  loss.at(0, 0) = scale * (map(x) - map(target)).squaredNorm();
}

template <class Real>
void SquaredError<Real>::backward(Out dx, In dloss, In x, In target, Real scale) {
  // loss = scale * sum (x - target)^2
  if (dx) map(dx) += (Real(2) * scale * dloss.at(0, 0)) * (map(x) - map(target));
}

template struct CrossEntropy<float>;
template struct CrossEntropy<double>;
template struct SquaredError<float>;
template struct SquaredError<double>;

}  // namespace tfm::cpu

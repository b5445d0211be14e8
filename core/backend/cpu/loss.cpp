// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/loss.h"

#include <cmath>

#include "core/backend/cpu/eigen_map.h"
#include "core/base/check.h"

namespace tfm::cpu {

template <class Real>
void CrossEntropy<Real>::forward(Out loss, Out probabilities, In logits, Ids labels, In weights) {
  double total = 0.0;
  for (std::int64_t r = 0; r < logits.rows; ++r) {
    check(labels[r] >= 0 && labels[r] < logits.cols, "cross-entropy: labels lie in the output");
    const auto in = map(logits).row(r).array();
    auto p = map(probabilities).row(r).array();
    const Real highest = in.maxCoeff();
    p = (in - highest).exp();
    const Real sum = p.sum();
    p /= sum;
    // -log softmax from the logits themselves: log of a rounded probability would lose its digits.
    const double loss_r = std::log(double(sum)) + double(highest) - double(in(labels[r]));
    if (weights.at(r, 0) != Real(0)) total += double(weights.at(r, 0)) * loss_r;
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

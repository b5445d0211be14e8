// SPDX-License-Identifier: GPL-3.0-or-later
// Ops of training outside programs, on consecutive numbers.
#include <algorithm>

#include "core/backend/cuda/device_op.h"
#include "core/backend/cuda/launch.h"

namespace tfm::cuda {
namespace {

// A sum of squares has at most so many parts, of at least so many numbers.
constexpr std::int64_t kParts = 1024, kLeast = 1024;

struct AddSquaresKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Matrix<const Real> x = c.in(0);
    const List<double> sums = c.sums;
    const bool first = c.template get<bool>();
    // Part by part, and then the parts.
    const std::int64_t parts = std::clamp<std::int64_t>(x.cols / kLeast, 1, kParts);
    const std::int64_t length = (x.cols + parts - 1) / parts;
    const Scratch<double> memory(parts);
    const List<double> of_parts = memory.list();
    overSums<double>(
        parts, length,
        [=] __device__(std::int64_t part, std::int64_t i) {
          const std::int64_t j = part * length + i;
          const double value = j < x.cols ? double(x.at(0, j)) : 0.0;
          return value * value;
        },
        [=] __device__(std::int64_t part, double sum) { of_parts.at(part) = sum; });
    overSums<double>(
        1, parts, [=] __device__(std::int64_t, std::int64_t part) { return of_parts.at(part); },
        [=] __device__(std::int64_t, double sum) { sums.at(0) = first ? sum : sums.at(0) + sum; });
  }
};

struct ArgmaxKernels {
  /// The first index of equal values.
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Matrix<const Real> x = c.in(0);
    const List<std::int32_t> indices = c.indices;
    overCells(x.rows, 1, [=] __device__(std::int64_t r, std::int64_t) {
      std::int64_t best = 0;
      for (std::int64_t j = 1; j < x.cols; ++j)
        if (x.at(r, best) < x.at(r, j)) best = j;
      indices.at(r) = std::int32_t(best);
    });
  }
};

struct ClipFactorKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const double limit = c.template get<double>();
    const Matrix<const Real> loss = c.in(0);
    const Matrix<Real> numbers = c.out(0);
    const List<double> sums = c.sums;
    overSums<double>(
        1, sums.size, [=] __device__(std::int64_t, std::int64_t i) { return sums.at(i); },
        [=] __device__(std::int64_t, double squares) {
          const double norm = std::sqrt(squares);
          if (std::isfinite(norm) && std::isfinite(loss.at(0, 0)))
            numbers.at(0, 0) = limit > 0.0 && norm > limit ? Real(limit / norm) : Real(1);
          else
            for (std::int64_t i = 0; i < numbers.cols; ++i)
              numbers.at(0, i) = std::numeric_limits<Real>::quiet_NaN();
        });
  }
};

struct SgdKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto& rule = c.template get<SgdRule>();
    const Real mu = Real(rule.momentum), decay = Real(rule.weight_decay);
    const Matrix<const Real> gradients = c.in(0), numbers = c.in(1);
    const Matrix<Real> parameters = c.out(0), momentum = c.out(1);
    overCells(1, parameters.cols, [=] __device__(std::int64_t, std::int64_t j) {
      if (std::isnan(numbers.at(0, 0))) return;
      const Real p = parameters.at(0, j);
      const Real v = mu * momentum.at(0, j) + gradients.at(0, j) + decay * p;
      momentum.at(0, j) = v;
      parameters.at(0, j) = p - numbers.at(0, 0) * v;
    });
  }
};

struct AdamKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto& rule = c.template get<AdamRule>();
    const Real eps = Real(rule.eps);
    const Real b1 = Real(rule.beta1), b2 = Real(rule.beta2);
    const Real new1 = Real(1) - b1, new2 = Real(1) - b2;
    const Real decay = Real(rule.decoupled ? 0.0 : rule.weight_decay);
    const Matrix<const Real> gradients = c.in(0), numbers = c.in(1);
    const Matrix<Real> parameters = c.out(0), first = c.out(1), second = c.out(2);
    overCells(1, parameters.cols, [=] __device__(std::int64_t, std::int64_t j) {
      const Real rate = numbers.at(0, 0), root_c2 = numbers.at(0, 1), shrink = numbers.at(0, 2);
      if (std::isnan(rate)) return;
      const Real p = parameters.at(0, j) * shrink;
      const Real g = gradients.at(0, j) + decay * p;
      const Real m = b1 * first.at(0, j) + new1 * g;
      const Real v = b2 * second.at(0, j) + new2 * g * g;
      first.at(0, j) = m;
      second.at(0, j) = v;
      parameters.at(0, j) = p - rate * m / (std::sqrt(v) * root_c2 + eps);
    });
  }
};

}  // namespace

const DeviceOp kAddSquares = deviceForwardOp<AddSquaresKernels>("add squares");
const DeviceOp kArgmax = deviceForwardOp<ArgmaxKernels>("argmax");
const DeviceOp kClipFactor = deviceForwardOp<ClipFactorKernels>("clip factor");
const DeviceOp kSgd = deviceForwardOp<SgdKernels>("sgd");
const DeviceOp kAdam = deviceForwardOp<AdamKernels>("adam");

}  // namespace tfm::cuda

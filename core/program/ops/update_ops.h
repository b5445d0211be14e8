// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <any>
#include <array>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/backend/backend.h"
#include "core/backend/buffer.h"
#include "core/program/ops/ops.h"

namespace tfm::ops {

// Ops of training outside programs, run immediately on numbers in the memory of a backend. Each is
// documented in its file.

extern const Op kFill;
extern const Op kScale;
extern const Op kAddSquares;
extern const Op kArgmax;
extern const Op kClipFactor;
extern const Op kSgd;
extern const Op kAdam;

inline constexpr std::array kUpdates{&kFill,       &kScale, &kAddSquares, &kArgmax,
                                     &kClipFactor, &kSgd,   &kAdam};

/// Consecutive numbers in the memory of a backend.
template <class Real>
using Range = std::type_identity_t<std::span<Real>>;

template <class Real>
MatrixView<Real> rowOf(std::span<Real> range) {
  return {range.data(), 1, std::int64_t(range.size())};
}

template <class Real>
void run(const Backend<Real>& backend, const Op& op, const std::any& arguments,
         OpCall<Real>& call) {
  call.op = &op;
  call.arguments = &arguments;
  backend.forward(call);
}

template <class Real>
void fill(const Backend<Real>& backend, std::type_identity_t<MatrixView<Real>> y, double value) {
  OpCall<Real> call;
  call.outputs[0].values = y;
  run(backend, kFill, value, call);
}

/// `factor`: a number in the memory of the backend. If it is NaN, nothing changes.
template <class Real>
void scale(const Backend<Real>& backend, Range<Real> y, Range<const Real> factor) {
  OpCall<Real> call;
  call.inputs[0].values = rowOf(factor);
  call.outputs[0].values = rowOf(y);
  run(backend, kScale, {}, call);
}
template <class Real>
void scale(const Backend<Real>& backend, Range<Real> y, double factor) {
  const Real number = Real(factor);
  scale(backend, y, DeviceCopy<Real>(backend.memory(), {&number, 1}).span());
}

/// sum += sum_i x[i]^2; with `first`, sum is overwritten.
template <class Real>
void addSquares(const Backend<Real>& backend, Range<const Real> x, double* sum, bool first) {
  OpCall<Real> call;
  call.inputs[0].values = rowOf(x);
  call.sums = {sum, 1};
  run(backend, kAddSquares, first, call);
}

/// One index per row of x.
template <class Real>
void argmax(const Backend<Real>& backend, std::type_identity_t<MatrixView<const Real>> x,
            std::span<std::int32_t> indices) {
  OpCall<Real> call;
  call.inputs[0].values = x;
  call.indices = indices;
  run(backend, kArgmax, {}, call);
}

/// What clips a gradient and decides whether it is used: the first of `numbers` becomes min(1,
/// limit / norm), or 1 if the limit is 0; norm is the root of the sum of `squares`. Where this or
/// the loss is not finite, all numbers become NaN, with which scale(), sgd() and adam() change
/// nothing. All in the memory of the backend.
template <class Real>
void clipFactor(const Backend<Real>& backend, const Real* loss, std::span<double> squares,
                double limit, Range<Real> numbers) {
  OpCall<Real> call;
  call.inputs[0].values = {loss, 1, 1};
  call.sums = squares;
  call.outputs[0].values = rowOf(numbers);
  run(backend, kClipFactor, limit, call);
}

/// `rule`: an SgdRule; `numbers`: its stepNumbers(), in the memory of the backend.
template <class Real>
void sgd(const Backend<Real>& backend, Range<Real> parameters, Range<const Real> gradients,
         Range<Real> momentum, const std::any& rule, Range<const Real> numbers) {
  OpCall<Real> call;
  call.inputs[0].values = rowOf(gradients);
  call.inputs[1].values = rowOf(numbers);
  call.outputs[0].values = rowOf(parameters);
  call.outputs[1].values = rowOf(momentum);
  run(backend, kSgd, rule, call);
}

template <class Real>
void sgd(const Backend<Real>& backend, Range<Real> parameters, Range<const Real> gradients,
         Range<Real> momentum, const SgdRule& rule) {
  const auto numbers = rule.stepNumbers<Real>();
  sgd(backend, parameters, gradients, momentum, rule,
      DeviceCopy<Real>(backend.memory(), numbers).span());
}

/// `rule`: an AdamRule; `numbers`: its stepNumbers(), in the memory of the backend.
template <class Real>
void adam(const Backend<Real>& backend, Range<Real> parameters, Range<const Real> gradients,
          Range<Real> first_moment, Range<Real> second_moment, const std::any& rule,
          Range<const Real> numbers) {
  OpCall<Real> call;
  call.inputs[0].values = rowOf(gradients);
  call.inputs[1].values = rowOf(numbers);
  call.outputs[0].values = rowOf(parameters);
  call.outputs[1].values = rowOf(first_moment);
  call.outputs[2].values = rowOf(second_moment);
  run(backend, kAdam, rule, call);
}

template <class Real>
void adam(const Backend<Real>& backend, Range<Real> parameters, Range<const Real> gradients,
          Range<Real> first_moment, Range<Real> second_moment, const AdamRule& rule) {
  const auto numbers = rule.stepNumbers<Real>();
  adam(backend, parameters, gradients, first_moment, second_moment, rule,
       DeviceCopy<Real>(backend.memory(), numbers).span());
}

/// sum = sum + x.
template <class Real>
void addTo(const Backend<Real>& backend, Range<Real> sum, Range<const Real> x) {
  OpCall<Real> call;
  call.inputs[0].values = rowOf(sum);
  call.inputs[1].values = rowOf(x);
  call.outputs[0].values = rowOf(sum);
  run(backend, kAdd, {}, call);
}

}  // namespace tfm::ops

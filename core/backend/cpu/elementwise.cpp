// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/elementwise.h"

#include <cmath>
#include <numbers>
#include <unsupported/Eigen/SpecialFunctions>

#include "core/backend/cpu/eigen_map.h"

namespace tfm::cpu {
namespace {

template <class Real>
constexpr Real kInverseSqrt2 = Real(1.0 / std::numbers::sqrt2);
template <class Real>
constexpr Real kInverseSqrt2Pi = Real(0.3989422804014326779399461);
// The tanh form approximates Phi(x) by (1 + tanh(kTanhScale (x + kTanhCube x^3))) / 2.
template <class Real>
constexpr Real kTanhScale = Real(0.7978845608028653558798921);
template <class Real>
constexpr Real kTanhCube = Real(0.044715);

/// Matrices without gaps as one long row, so that vector registers are filled whatever the number
/// of columns.
template <class Real, class... Views>
void flatten(MatrixView<Real>& first, Views&... others) {
  const auto whole = [](const auto& m) { return !m || m.stride == m.cols; };
  if (!whole(first) || !(whole(others) && ...)) return;
  const auto flat = [](auto& m) {
    if (m) m = {m.data, 1, m.size()};
  };
  flat(first);
  (flat(others), ...);
}

/// The sum of a gradient with `part`.
template <class Sum, class Part>
void accumulate(Sum&& sum, bool fresh, const Part& part) {
  if (fresh)
    sum = part;
  else
    sum += part;
}

}  // namespace

template <class Real>
void ActivationKernel<Real>::forward(Out y, In x, Activation kind) {
  flatten(y, x);
  for (std::int64_t r = 0; r < x.rows; ++r) {
    const auto in = map(x).row(r).array();
    auto out = map(y).row(r).array();
    switch (kind) {
      case Activation::Relu:
        out = in.max(Real(0));
        break;
      case Activation::Gelu:
        out = in * Real(0.5) * (Real(1) + (in * kInverseSqrt2<Real>).erf());
        break;
      case Activation::GeluTanh:
        out = in * Real(0.5) *
              (Real(1) + (kTanhScale<Real> * (in + kTanhCube<Real> * in.cube())).tanh());
        break;
    }
  }
}

template <class Real>
void ActivationKernel<Real>::backward(Gradient dx, In dy, In x, Activation kind) {
  if (!dx) return;
  flatten(dx.sum, dy, x);
  for (std::int64_t r = 0; r < x.rows; ++r) {
    const auto in = map(x).row(r).array();
    const auto dout = map(dy).row(r).array();
    auto din = map(dx.sum).row(r).array();
    switch (kind) {
      case Activation::Relu:
        accumulate(din, dx.fresh, (in > Real(0)).select(dout, Real(0)));
        break;
      case Activation::Gelu:
        // d/dx x Phi(x) = Phi(x) + x phi(x)
        accumulate(din, dx.fresh,
                   dout * (Real(0.5) * (Real(1) + (in * kInverseSqrt2<Real>).erf()) +
                           in * kInverseSqrt2Pi<Real> * (in.square() * Real(-0.5)).exp()));
        break;
      case Activation::GeluTanh:
        // t = tanh(u), u = c (x + a x^3):  0.5 (1 + t) + 0.5 x (1 - t^2) c (1 + 3 a x^2)
        for (std::int64_t c = 0; c < x.cols; ++c) {
          const Real v = in(c);
          const Real t = std::tanh(kTanhScale<Real> * (v + kTanhCube<Real> * v * v * v));
          const Real du = kTanhScale<Real> * (Real(1) + Real(3) * kTanhCube<Real> * v * v);
          const Real d = dout(c) * Real(0.5) * (Real(1) + t + v * (Real(1) - t * t) * du);
          din(c) = dx.fresh ? d : din(c) + d;
        }
        break;
    }
  }
}

template <class Real>
void Add<Real>::forward(Out y, In a, In b) {
  flatten(y, a, b);
  map(y) = map(a) + map(b);
}

template <class Real>
void Add<Real>::backward(Gradient da, Gradient db, In dy) {
  // y = a + b
  flatten(dy, da.sum, db.sum);
  if (da) accumulate(map(da.sum), da.fresh, map(dy));
  if (db) accumulate(map(db.sum), db.fresh, map(dy));
}

template <class Real>
void DropoutKernel<Real>::forward(Out y, In x, const Dropout& dropout) {
  const Real kept = Real(1.0 / (1.0 - dropout.rate));
  for (std::int64_t r = 0; r < x.rows; ++r)
    for (std::int64_t c = 0; c < x.cols; ++c)
      y.at(r, c) = dropout.keeps(r, x.cols, c) ? x.at(r, c) * kept : Real(0);
}

template <class Real>
void DropoutKernel<Real>::backward(Out dx, In dy, const Dropout& dropout) {
  // y = x * keep / (1 - rate): the same elements are drawn again
  if (!dx) return;
  const Real kept = Real(1.0 / (1.0 - dropout.rate));
  for (std::int64_t r = 0; r < dy.rows; ++r)
    for (std::int64_t c = 0; c < dy.cols; ++c)
      if (dropout.keeps(r, dy.cols, c)) dx.at(r, c) += dy.at(r, c) * kept;
}

template struct ActivationKernel<float>;
template struct ActivationKernel<double>;
template struct Add<float>;
template struct Add<double>;
template struct DropoutKernel<float>;
template struct DropoutKernel<double>;

}  // namespace tfm::cpu

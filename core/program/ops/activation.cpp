// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <numbers>
#include <unsupported/Eigen/SpecialFunctions>

#include "core/backend/cpu/eigen_map.h"
#include "core/program/ops/ops.h"

namespace tfm::ops {
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

struct ActivationKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    auto y = c.out(0);
    auto x = c.in(0);
    const Activation kind = c.template get<Activation>();
    cpu::flatten(y, x);
    for (std::int64_t r = 0; r < x.rows; ++r) {
      const auto in = cpu::map(x).row(r).array();
      auto out = cpu::map(y).row(r).array();
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
  static void backward(const OpCall<Real>& c) {
    auto dx = c.din(0);
    auto dy = c.dout(0);
    auto x = c.in(0);
    const Activation kind = c.template get<Activation>();
    if (!dx) return;
    cpu::flatten(dx.sum, dy, x);
    for (std::int64_t r = 0; r < x.rows; ++r) {
      const auto in = cpu::map(x).row(r).array();
      const auto dout = cpu::map(dy).row(r).array();
      auto din = cpu::map(dx.sum).row(r).array();
      switch (kind) {
        case Activation::Relu:
          cpu::accumulate(din, dx.fresh, (in > Real(0)).select(dout, Real(0)));
          break;
        case Activation::Gelu:
          // d/dx x Phi(x) = Phi(x) + x phi(x)
          cpu::accumulate(din, dx.fresh,
                          dout * (Real(0.5) * (Real(1) + (in * kInverseSqrt2<Real>).erf()) +
                                  in * kInverseSqrt2Pi<Real> * (in.square() * Real(-0.5)).exp()));
          break;
        case Activation::GeluTanh:
          // t = tanh(u), u = c (x + a x^3):  0.5 (1 + t) + 0.5 x (1 - t^2) c (1 + 3 a x^2)
          for (std::int64_t j = 0; j < x.cols; ++j) {
            const Real v = in(j);
            const Real t = std::tanh(kTanhScale<Real> * (v + kTanhCube<Real> * v * v * v));
            const Real du = kTanhScale<Real> * (Real(1) + Real(3) * kTanhCube<Real> * v * v);
            const Real d = dout(j) * Real(0.5) * (Real(1) + t + v * (Real(1) - t * t) * du);
            din(j) = dx.fresh ? d : din(j) + d;
          }
          break;
      }
    }
  }

  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return c.out(0).size();
  }
};

}  // namespace

const Op kActivation = makeOp<ActivationKernels>("activation", "y = act(x)");

TensorId activation(ProgramBuilder& b, const std::string& path, TensorId x, Activation kind) {
  const TensorInfo t = b.tensor(x);
  const TensorId y = b.activation(path, t.rows, t.cols);
  b.append({&kActivation, path, {x}, {y}, kind});
  return y;
}

}  // namespace tfm::ops

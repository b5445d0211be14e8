// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <numbers>

#define HWY_TARGET_INCLUDE "core/program/ops/activation.cpp"
#include <hwy/foreach_target.h>  // comes before highway.h

#include <hwy/contrib/math/math-inl.h>

#include "core/backend/cpu/elementwise.h"
#include "core/backend/cpu/exponential.h"
#include "core/backend/cpu/target.h"
#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::ops::HWY_NAMESPACE {
namespace {

using namespace cpu::HWY_NAMESPACE;

/// A rational approximation on [-4, 4], beyond which erf is +-1 in float; coefficients from Eigen.
HWY_INLINE Lane<float> errorFunction(Lane<float> x) {
  constexpr float kOdd[] = {-2.72614225801306e-10F, 2.77068142495902e-08F,  -2.10102402082508e-06F,
                            -5.69250639462346e-05F, -7.34990630326855e-04F, -2.95459980854025e-03F,
                            -1.60960333262415e-02F};
  constexpr float kEven[] = {-1.45660718464996e-05F, -2.13374055278905e-04F, -1.68282697438203e-03F,
                             -7.37332916720468e-03F, -1.42647390514189e-02F};
  x = hn::Max(allOf(-4.0F), hn::Min(allOf(4.0F), x));
  const auto polynomial = [square = hn::Mul(x, x)](const auto& coefficients) {
    Lane<float> sum = allOf(0.0F);
    for (const float c : coefficients) sum = hn::MulAdd(sum, square, allOf(c));
    return sum;
  };
  return hn::Div(hn::Mul(x, polynomial(kOdd)), polynomial(kEven));
}
HWY_INLINE Lane<double> errorFunction(Lane<double> x) {
  HWY_ALIGN double values[kTile<double>];
  storeLane(values, x);
  for (double& v : values) v = std::erf(v);
  return loadLane(values);
}

/// Phi(x)
template <class Real>
Lane<Real> normalDistribution(Lane<Real> x) {
  const Lane<Real> half = allOf(Real(0.5));
  const Lane<Real> scaled = hn::Mul(x, allOf(Real(1.0 / std::numbers::sqrt2)));
  return hn::MulAdd(errorFunction(scaled), half, half);
}
/// phi(x)
template <class Real>
Lane<Real> normalDensity(Lane<Real> x) {
  const Lane<Real> exponent = hn::Mul(hn::Mul(x, x), allOf(Real(-0.5)));
  return hn::Mul(exponential(exponent), allOf(Real(0.3989422804014326779399461)));
}

// The tanh form approximates Phi(x) by (1 + tanh(kTanhScale (x + kTanhCube x^3))) / 2.
template <class Real>
constexpr Real kTanhScale = Real(0.7978845608028653558798921);
template <class Real>
constexpr Real kTanhCube = Real(0.044715);

template <class Real>
Lane<Real> tanhForm(Lane<Real> x) {
  const Lane<Real> square = hn::Mul(x, x);
  const Lane<Real> sum = hn::MulAdd(square, allOf(kTanhCube<Real>), allOf(Real(1)));
  return hn::Tanh(Tag<Real>(), hn::Mul(hn::Mul(x, allOf(kTanhScale<Real>)), sum));
}

/// 1 / (1 + exp(-x)), by exp(-|x|), which does not overflow.
template <class Real>
Lane<Real> sigmoid(Lane<Real> x) {
  const Lane<Real> one = allOf(Real(1)), small = exponential(hn::Neg(hn::Abs(x)));
  const Lane<Real> above = hn::IfThenElse(hn::Lt(x, allOf(Real(0))), small, one);
  return hn::Div(above, hn::Add(one, small));
}

struct ActivationKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto apply = [&](const auto& function) { elementwise(c.out(0), function, c.in(0)); };
    switch (c.template get<Activation>()) {
      case Activation::Relu:
        return apply([](Lane<Real> v) { return hn::Max(allOf(Real(0)), v); });
      case Activation::Gelu:
        return apply([](Lane<Real> v) { return hn::Mul(v, normalDistribution<Real>(v)); });
      case Activation::GeluTanh:
        return apply([](Lane<Real> v) {
          const Lane<Real> half = hn::Mul(v, allOf(Real(0.5)));
          return hn::MulAdd(half, tanhForm<Real>(v), half);
        });
      case Activation::Silu:
        return apply([](Lane<Real> v) { return hn::Mul(v, sigmoid<Real>(v)); });
    }
  }

  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const auto apply = [&](const auto& derivative) {
      const auto product = [&](Lane<Real> dy, Lane<Real> x) { return hn::Mul(dy, derivative(x)); };
      accumulateElementwise(c.din(0), product, c.dout(0), c.in(0));
    };
    switch (c.template get<Activation>()) {
      case Activation::Relu:
        return apply([](Lane<Real> v) {
          return hn::IfThenElseZero(hn::Gt(v, allOf(Real(0))), allOf(Real(1)));
        });
      case Activation::Gelu:
        // d/dx x Phi(x) = Phi(x) + x phi(x)
        return apply([](Lane<Real> v) {
          return hn::MulAdd(v, normalDensity<Real>(v), normalDistribution<Real>(v));
        });
      case Activation::GeluTanh:
        // t = tanh(u), u = c (x + a x^3):  0.5 (1 + t + x (1 - t^2) c (1 + 3 a x^2))
        return apply([](Lane<Real> v) {
          const Lane<Real> one = allOf(Real(1)), t = tanhForm<Real>(v);
          const Lane<Real> square = hn::Mul(v, v);
          const Lane<Real> du = hn::Mul(allOf(kTanhScale<Real>),
                                        hn::MulAdd(square, allOf(Real(3) * kTanhCube<Real>), one));
          const Lane<Real> slope = hn::Mul(hn::Mul(v, du), hn::NegMulAdd(t, t, one));
          return hn::Mul(allOf(Real(0.5)), hn::Add(hn::Add(one, t), slope));
        });
      case Activation::Silu:
        // s = 1 / (1 + exp(-x)):  s + x s (1 - s)
        return apply([](Lane<Real> v) {
          const Lane<Real> s = sigmoid<Real>(v);
          return hn::MulAdd(hn::Mul(v, s), hn::Sub(allOf(Real(1)), s), s);
        });
    }
  }

  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return c.out(0).size();
  }
};

Op activationOp() { return makeOp<ActivationKernels>("activation", "y = act(x)"); }

}  // namespace
}  // namespace tfm::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tfm::ops {

HWY_EXPORT(activationOp);
namespace {

using namespace explain;

double relu(double x) { return std::max(0.0, x); }
double gelu(double x) { return 0.5 * x * (1.0 + std::erf(x / std::numbers::sqrt2)); }
double tanhOf(double x) {
  return std::tanh(std::sqrt(2.0 / std::numbers::pi) * (x + 0.044715 * x * x * x));
}
double geluTanh(double x) { return 0.5 * x * (1.0 + tanhOf(x)); }
double silu(double x) { return x / (1.0 + std::exp(-x)); }

double reluSlope(double x) { return x > 0.0 ? 1.0 : 0.0; }
double geluSlope(double x) {
  return 0.5 * (1.0 + std::erf(x / std::numbers::sqrt2)) +
         x * std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
}
double geluTanhSlope(double x) {
  const double t = tanhOf(x), scale = std::sqrt(2.0 / std::numbers::pi);
  return 0.5 * (1.0 + t + x * (1.0 - t * t) * scale * (1.0 + 3.0 * 0.044715 * x * x));
}
double siluSlope(double x) {
  const double s = 1.0 / (1.0 + std::exp(-x));
  return s + x * s * (1.0 - s);
}

struct Curve {
  std::string_view name;
  double (*value)(double);
  double (*slope)(double);
};
Curve curveOf(Activation kind) {
  switch (kind) {
    case Activation::Relu:
      return {"relu", relu, reluSlope};
    case Activation::Gelu:
      return {"gelu", gelu, geluSlope};
    case Activation::GeluTanh:
      return {"gelu (tanh form)", geluTanh, geluTanhSlope};
    case Activation::Silu:
      break;
  }
  return {"silu", silu, siluSlope};
}

struct ActivationExplained {
  static constexpr std::string_view kOutputs = "y", kInputs = "x";
  static std::string sentence(const StepReader& s) {
    const bool relu = s.get<Activation>() == Activation::Relu;
    return "Each of " + numbers(s.out().rows * s.out().cols) +
           (relu ? " stays if it is positive and otherwise becomes 0"
                 : " stays if it is large, and comes close to 0 if it is far below");
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const Curve curve = curveOf(c.template get<Activation>());
    const StepNumber x = in(0, of.row, of.col);
    if (!of.gradient)
      return {.formula = "y[r, c] = f(x[r, c])",
              .terms = {term(numberIn(c, x), 1.0, {x})},
              .function = curve.name,
              .apply = curve.value};
    const StepNumber dy = d(out(0, of.row, of.col));
    Explanation e{"dx[r, c] = dy[r, c] f'(x[r, c])"};
    product(e, c, curve.slope(numberIn(c, x)), {dy}, {x});
    return e;
  }
};

}  // namespace

const Op kActivation = explained<ActivationExplained>(
    cpu::onTargets([](KernelSet) { return HWY_DYNAMIC_DISPATCH(activationOp)(); }));

TensorId activation(ProgramBuilder& b, const std::string& path, TensorId x, Activation kind) {
  const TensorInfo t = b.tensor(x);
  const TensorId y = b.activation(path, t.rows, t.cols);
  b.append({&kActivation, path, {x}, {y}, kind});
  return y;
}

}  // namespace tfm::ops
#endif

// SPDX-License-Identifier: GPL-3.0-or-later
// Ops whose cells are computed from the same cells of others.
#include "core/backend/cuda/device_op.h"
#include "core/backend/cuda/launch.h"

namespace tfm::cuda {
namespace {

struct FillKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Matrix<Real> y = c.out(0);
    const Real value = Real(c.template get<double>());
    overCells(y.rows, y.cols,
              [=] __device__(std::int64_t r, std::int64_t j) { y.at(r, j) = value; });
  }
};

struct ScaleKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Matrix<Real> y = c.out(0);
    const Matrix<const Real> factor = c.in(0);
    overCells(y.rows, y.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      if (!std::isnan(factor.at(0, 0))) y.at(r, j) *= factor.at(0, 0);
    });
  }
};

struct AddKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Matrix<const Real> a = c.in(0), b = c.in(1);
    const Matrix<Real> y = c.out(0);
    overCells(y.rows, y.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      y.at(r, j) = a.at(r, j) + b.at(r, j);
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const Sum<Real> da = c.din(0), db = c.din(1);
    const Matrix<const Real> dy = c.dout(0);
    overCells(dy.rows, dy.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      if (da) da.add(r, j, dy.at(r, j));
      if (db) db.add(r, j, dy.at(r, j));
    });
  }
};

struct MultiplyKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Matrix<const Real> a = c.in(0), b = c.in(1);
    const Matrix<Real> y = c.out(0);
    overCells(y.rows, y.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      y.at(r, j) = a.at(r, j) * b.at(r, j);
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const Sum<Real> da = c.din(0), db = c.din(1);
    const Matrix<const Real> a = c.in(0), b = c.in(1), dy = c.dout(0);
    overCells(dy.rows, dy.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      if (da) da.add(r, j, dy.at(r, j) * b.at(r, j));
      if (db) db.add(r, j, dy.at(r, j) * a.at(r, j));
    });
  }
};

/// A number of a row whose pairs are turned; see core/program/ops/rotary.cpp. `direction`: 1, or -1
/// for the way back.
template <class Real>
__device__ Real turned(const Matrix<const Real>& x, const Matrix<const Real>& angles,
                       const RotaryArguments& a, Real direction, std::int64_t r, std::int64_t j) {
  const std::int64_t half = a.size / 2, place = j % a.key_size;
  if (place >= a.size) return x.at(r, j);
  const bool first = place < half;
  const std::int64_t pair = first ? place : place - half, t = r % a.length;
  const Real other = x.at(r, first ? j + half : j - half) * angles.at(t, half + pair);
  return x.at(r, j) * angles.at(t, pair) + (first ? -direction : direction) * other;
}

struct RotaryKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const RotaryArguments a = c.template get<RotaryArguments>();
    const Matrix<const Real> x = c.in(0), angles = c.in(1);
    const Matrix<Real> y = c.out(0);
    overCells(y.rows, y.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      y.at(r, j) = turned(x, angles, a, Real(1), r, j);
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const RotaryArguments a = c.template get<RotaryArguments>();
    const Matrix<const Real> dy = c.dout(0), angles = c.in(1);
    const Sum<Real> dx = c.din(0);
    if (!dx) return;
    overCells(dy.rows, dy.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      dx.add(r, j, turned(dy, angles, a, Real(-1), r, j));
    });
  }
};

struct RepeatHeadsKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const RepeatArguments a = c.template get<RepeatArguments>();
    const Matrix<const Real> x = c.in(0);
    const Matrix<Real> y = c.out(0);
    overCells(y.rows, y.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      y.at(r, j) = x.at(r, j / a.size / a.times * a.size + j % a.size);
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const RepeatArguments a = c.template get<RepeatArguments>();
    const Matrix<const Real> dy = c.dout(0);
    const Sum<Real> dx = c.din(0);
    if (!dx) return;
    overCells(dx.cells.rows, dx.cells.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      Real sum = 0;
      for (std::int64_t copy = 0; copy < a.times; ++copy)
        sum += dy.at(r, (j / a.size * a.times + copy) * a.size + j % a.size);
      dx.add(r, j, sum);
    });
  }
};

struct PadColumnsKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Matrix<const Real> x = c.in(0);
    const Matrix<Real> y = c.out(0);
    overCells(y.rows, y.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      y.at(r, j) = j < x.cols ? x.at(r, j) : Real(0);
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const Sum<Real> dx = c.din(0);
    const Matrix<const Real> dy = c.dout(0);
    if (!dx) return;
    overCells(dx.cells.rows, dx.cells.cols,
              [=] __device__(std::int64_t r, std::int64_t j) { dx.add(r, j, dy.at(r, j)); });
  }
};

/// The column of a group's part of the output that a column of an input goes to; see joinGroups().
__device__ inline std::int64_t joinedColumn(std::int64_t col, std::int64_t own, std::int64_t both,
                                            std::int64_t before) {
  return col / own * both + before + col % own;
}

struct JoinGroupsKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const std::int64_t groups = c.template get<JoinGroupsArguments>().groups;
    const std::int64_t left = c.in(0).cols / groups, both = c.out(0).cols / groups;
    const Matrix<Real> y = c.out(0);
    for (std::size_t i = 0; i < 2; ++i) {
      const Matrix<const Real> x = c.in(i);
      const std::int64_t own = x.cols / groups, before = i == 0 ? 0 : left;
      overCells(x.rows, x.cols, [=] __device__(std::int64_t r, std::int64_t j) {
        y.at(r, joinedColumn(j, own, both, before)) = x.at(r, j);
      });
    }
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const std::int64_t groups = c.template get<JoinGroupsArguments>().groups;
    const std::int64_t left = c.in(0).cols / groups, both = c.dout(0).cols / groups;
    const Matrix<const Real> dy = c.dout(0);
    for (std::size_t i = 0; i < 2; ++i) {
      const Sum<Real> dx = c.din(i);
      if (!dx) continue;
      const std::int64_t own = dx.cells.cols / groups, before = i == 0 ? 0 : left;
      overCells(dx.cells.rows, dx.cells.cols, [=] __device__(std::int64_t r, std::int64_t j) {
        dx.add(r, j, dy.at(r, joinedColumn(j, own, both, before)));
      });
    }
  }
};

struct DropoutKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Keep keep(c.template get<DropoutArguments>(), c.position);
    const Matrix<const Real> x = c.in(0);
    const Matrix<Real> y = c.out(0);
    overCells(y.rows, y.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      const Real factor = keep.template factor<Real>(r, x.cols, j);
      y.at(r, j) = factor == Real(0) ? Real(0) : x.at(r, j) * factor;
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const Keep keep(c.template get<DropoutArguments>(), c.position);
    const Sum<Real> dx = c.din(0);
    const Matrix<const Real> dy = c.dout(0);
    if (!dx) return;
    overCells(dy.rows, dy.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      const Real factor = keep.template factor<Real>(r, dy.cols, j);
      dx.add(r, j, factor == Real(0) ? Real(0) : dy.at(r, j) * factor);
    });
  }
};

/// t in GeluTanh, (1 + t) / 2 x, and the inner derivative.
template <class Real>
__device__ Real tanhForm(Real x) {
  return std::tanh(Real(0.7978845608028653558798921) * x * (Real(1) + Real(0.044715) * x * x));
}
/// 1 / (1 + exp(-x)), by exp(-|x|), which does not overflow.
template <class Real>
__device__ Real sigmoid(Real x) {
  const Real small = std::exp(-std::fabs(x));
  return (x < Real(0) ? small : Real(1)) / (Real(1) + small);
}
/// Phi(x)
template <class Real>
__device__ Real normalDistribution(Real x) {
  return Real(0.5) * (Real(1) + std::erf(x * Real(0.7071067811865475244)));
}

template <class Real>
__device__ Real activate(Activation kind, Real x) {
  switch (kind) {
    case Activation::Relu:
      return x < Real(0) ? Real(0) : x;
    case Activation::Gelu:
      return x * normalDistribution(x);
    case Activation::Silu:
      return x * sigmoid(x);
    case Activation::GeluTanh:
      break;
  }
  return Real(0.5) * x * (Real(1) + tanhForm(x));
}

template <class Real>
__device__ Real activationSlope(Activation kind, Real x) {
  switch (kind) {
    case Activation::Relu:
      return x > Real(0) ? Real(1) : Real(0);
    case Activation::Gelu:
      return normalDistribution(x) +
             x * std::exp(Real(-0.5) * x * x) * Real(0.3989422804014326779399461);
    case Activation::Silu: {
      const Real s = sigmoid(x);
      return s + x * s * (Real(1) - s);
    }
    case Activation::GeluTanh:
      break;
  }
  const Real t = tanhForm(x);
  const Real inner = Real(0.7978845608028653558798921) * (Real(1) + Real(3 * 0.044715) * x * x);
  return Real(0.5) * (Real(1) + t + x * (Real(1) - t * t) * inner);
}

struct ActivationKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Activation kind = c.template get<Activation>();
    const Matrix<const Real> x = c.in(0);
    const Matrix<Real> y = c.out(0);
    overCells(y.rows, y.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      y.at(r, j) = activate(kind, x.at(r, j));
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const Activation kind = c.template get<Activation>();
    const Matrix<const Real> x = c.in(0), dy = c.dout(0);
    const Sum<Real> dx = c.din(0);
    if (!dx) return;
    overCells(dy.rows, dy.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      dx.add(r, j, dy.at(r, j) * activationSlope(kind, x.at(r, j)));
    });
  }
};

struct GateKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Matrix<const Real> x = c.in(0), f = c.in(1), gate = c.in(2);
    const Matrix<Real> y = c.out(0);
    overCells(y.rows, y.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      y.at(r, j) = x.at(r, j) + gate.at(0, 0) * (f.at(r, j) - x.at(r, j));
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const Matrix<const Real> x = c.in(0), f = c.in(1), gate = c.in(2), dy = c.dout(0);
    const Sum<Real> dx = c.din(0), df = c.din(1), dgate = c.din(2);
    overCells(dy.rows, dy.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      const Real open = gate.at(0, 0);
      if (dx) dx.add(r, j, (Real(1) - open) * dy.at(r, j));
      if (df) df.add(r, j, open * dy.at(r, j));
    });
    if (!dgate) return;
    overSums<Real>(
        1, dy.size(),
        [=] __device__(std::int64_t, std::int64_t i) {
          const std::int64_t r = i / dy.cols, j = i % dy.cols;
          return dy.at(r, j) * (f.at(r, j) - x.at(r, j));
        },
        [=] __device__(std::int64_t, Real sum) { dgate.add(0, 0, sum); });
  }
};

}  // namespace

const DeviceOp kFill = deviceForwardOp<FillKernels>("fill");
const DeviceOp kScale = deviceForwardOp<ScaleKernels>("scale");
const DeviceOp kAdd = deviceOp<AddKernels>("add");
const DeviceOp kPadColumns = deviceOp<PadColumnsKernels>("pad columns");
const DeviceOp kJoinGroups = deviceOp<JoinGroupsKernels>("join groups");
const DeviceOp kDropout = deviceOp<DropoutKernels>("dropout");
const DeviceOp kActivation = deviceOp<ActivationKernels>("activation");
const DeviceOp kMultiply = deviceOp<MultiplyKernels>("multiply");
const DeviceOp kRotary = deviceOp<RotaryKernels>("rotary");
const DeviceOp kRepeatHeads = deviceOp<RepeatHeadsKernels>("repeat heads");
const DeviceOp kGate = deviceOp<GateKernels>("gate");

}  // namespace tfm::cuda

// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"
#include "core/tensor/eigen_map.h"
#include "core/tensor/portable_math.h"

namespace tfm::ops {
namespace {

// Of the columns of a head, i < size / 2 and i + size / 2 are a point that is turned by an angle:
//   y1 = x1 cos - x2 sin,  y2 = x2 cos + x1 sin
// The gradient is turned back:
//   dx1 = dy1 cos + dy2 sin,  dx2 = dy2 cos - dy1 sin

/// Rotates every row into `to`, which is set or added to; `direction` is 1 or -1.
template <class Real, class Write>
void rotateRows(const RotaryArguments& a, MatrixView<Real> to, MatrixView<const Real> x,
                MatrixView<const Real> angles, Real direction, const Write& write) {
  using Row = Eigen::Array<Real, 1, Eigen::Dynamic>;
  const Eigen::Index half = a.size / 2, rest = a.key_size - a.size;
  for (std::int64_t r = 0; r < x.rows; ++r) {
    const Real* angle = angles.row(r % a.length);
    const Eigen::Map<const Row> cosines(angle, half), sines(angle + half, half);
    for (std::int64_t first = 0; first < x.cols; first += a.key_size) {
      const Eigen::Map<const Row> x1(x.row(r) + first, half), x2(x.row(r) + first + half, half);
      Eigen::Map<Row> y1(to.row(r) + first, half), y2(to.row(r) + first + half, half);
      write(y1, x1 * cosines - direction * (x2 * sines));
      write(y2, x2 * cosines + direction * (x1 * sines));
      const Eigen::Map<const Row> kept(x.row(r) + first + a.size, rest);
      Eigen::Map<Row> y_kept(to.row(r) + first + a.size, rest);
      write(y_kept, kept);
    }
  }
}

struct RotaryKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    rotateRows<Real>(c.template get<RotaryArguments>(), c.out(0), c.in(0), c.in(1), Real(1),
                     [](auto& y, const auto& value) { y = value; });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const auto dx = c.din(0);
    if (!dx) return;
    const bool fresh = dx.fresh;
    rotateRows<Real>(c.template get<RotaryArguments>(), dx.sum, c.dout(0), c.in(1), Real(-1),
                     [fresh](auto& sum, const auto& value) {
                       if (fresh)
                         sum = value;
                       else
                         sum += value;
                     });
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    const RotaryArguments& a = c.template get<RotaryArguments>();
    return c.out(0).size() / a.key_size * a.size * 3;
  }
};

using namespace explain;

struct RotaryExplained {
  static constexpr std::string_view kOutputs = "y", kInputs = "x angles";
  static std::string sentence(const StepReader& s) {
    const RotaryArguments& a = s.get<RotaryArguments>();
    return atEach(s.out()) + numbers(a.size / 2) + (a.size == 2 ? " pair" : " pairs") +
           " of each head turn by an angle that grows with the place" +
           (a.size < a.key_size ? "; " + numbers(a.key_size - a.size) + " of each head stay" : "");
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const RotaryArguments& a = c.template get<RotaryArguments>();
    const std::int64_t half = a.size / 2, place = of.col % a.key_size;
    const auto number = [&](std::int64_t col) {
      return of.gradient ? d(out(0, of.row, col)) : in(0, of.row, col);
    };
    if (place >= a.size) {
      Explanation e{of.gradient ? "dx[r, c] = dy[r, c]" : "y[r, c] = x[r, c]"};
      product(e, c, 1, {number(of.col)});
      return e;
    }
    const bool first = place < half;
    const std::int64_t pair = first ? place : place - half;
    const StepNumber cosine = in(1, of.row % a.length, pair);
    const StepNumber sine = in(1, of.row % a.length, half + pair);
    const StepNumber other = number(first ? of.col + half : of.col - half);
    Explanation e{of.gradient ? first ? "dx[r, i] = dy[r, i] cos + dy[r, i + n] sin"
                                      : "dx[r, i + n] = dy[r, i + n] cos - dy[r, i] sin"
                  : first     ? "y[r, i] = x[r, i] cos - x[r, i + n] sin"
                              : "y[r, i + n] = x[r, i + n] cos + x[r, i] sin"};
    product(e, c, 1, {number(of.col), cosine});
    product(e, c, first == of.gradient ? 1 : -1, {other, sine});
    return e;
  }
};

}  // namespace

const Op kRotary = explained<RotaryExplained>(
    makeOp<RotaryKernels>("rotary", "y1 = x1 cos - x2 sin, y2 = x2 cos + x1 sin"));

TensorId rotary(ProgramBuilder& b, const std::string& path, TensorId x, TensorId angles,
                const RotaryArguments& a) {
  const TensorInfo t = b.tensor(x);
  check(a.size > 0 && a.size % 2 == 0 && a.size <= a.key_size && t.cols % a.key_size == 0,
        "rotary: pairs of columns of each head");
  check(t.rows % a.length == 0 && b.tensor(angles).rows >= a.length &&
            b.tensor(angles).cols == a.size,
        "rotary: the table has the angles of each position");
  const TensorId y = b.activation(path, t.rows, t.cols);
  b.append({&kRotary, path, {x, angles}, {y}, a});
  return y;
}

std::vector<double> rotaryFrequencies(std::int64_t size, double base) {
  std::vector<double> frequencies;
  for (std::int64_t i = 0; i < size / 2; ++i)
    frequencies.push_back(portable::pow(base, -2.0 * double(i) / double(size)));
  return frequencies;
}

std::vector<double> rotaryAngles(std::int64_t length, std::span<const double> frequencies,
                                 double magnitude) {
  const std::size_t half = frequencies.size(), size = 2 * half;
  std::vector<double> angles(std::size_t(length) * size);
  for (std::size_t i = 0; i < half; ++i)
    for (std::size_t t = 0; t < std::size_t(length); ++t) {
      const double angle = double(t) * frequencies[i];
      angles[t * size + i] = magnitude * portable::cos(angle);
      angles[t * size + half + i] = magnitude * portable::sin(angle);
    }
  return angles;
}

}  // namespace tfm::ops

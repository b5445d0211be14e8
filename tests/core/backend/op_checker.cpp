// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/backend/op_checker.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

#include "core/backend/cpu/cpu_backend.h"
#include "core/tensor/random.h"

namespace tfm::test {
namespace {

constexpr double kForeign = std::numeric_limits<double>::quiet_NaN();

/// Numbers in +-[0.05, 1], so that no ReLU has its kink within a finite difference. They are the
/// same in float and double.
PlainMatrix drawn(Size size, std::uint32_t stream) {
  PlainMatrix m(size);
  const Random random(11, stream);
  for (std::size_t i = 0; i < m.values.size(); ++i) {
    const double u = 2.0 * random.uniform(i) - 1.0;
    m.values[i] = double(float(std::copysign(0.05 + 0.95 * std::abs(u), u)));
  }
  return m;
}

/// A matrix that lies inside foreign numbers.
template <class Real>
class Held {
 public:
  Held(Size size, std::int64_t gap, Real first)
      : size_(size),
        gap_(gap),
        memory_(std::size_t(gap + size.rows * (size.cols + gap)), Real(kForeign)) {
    fill(first);
  }

  MatrixView<Real> view() {
    if (size_.rows == 0) return {};
    return {memory_.data() + gap_, size_.rows, size_.cols, size_.cols + gap_};
  }
  void fill(Real value) {
    for (std::int64_t r = 0; r < size_.rows; ++r) std::fill_n(view().row(r), size_.cols, value);
  }
  void set(const PlainMatrix& m) {
    for (std::int64_t r = 0; r < size_.rows; ++r)
      for (std::int64_t c = 0; c < size_.cols; ++c) view().at(r, c) = Real(m.at(r, c));
  }
  PlainMatrix get() {
    PlainMatrix m(size_);
    for (std::int64_t r = 0; r < size_.rows; ++r)
      for (std::int64_t c = 0; c < size_.cols; ++c) m.at(r, c) = double(view().at(r, c));
    return m;
  }
  bool foreignUntouched() const {
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      const auto at = std::int64_t(i) - gap_;
      const bool foreign = at < 0 || at % (size_.cols + gap_) >= size_.cols;
      if (foreign && !std::isnan(memory_[i])) return false;
    }
    return true;
  }

 private:
  Size size_;
  std::int64_t gap_;
  std::vector<Real> memory_;
};

void forwardOf(const OpCase& op, const Backend<double>& b, const OpCall<double>& c) {
  op.forward(b, c);
}
void forwardOf(const OpCase& op, const Backend<float>& b, const OpCall<float>& c) {
  op.forward_float(b, c);
}
void backwardOf(const OpCase& op, const Backend<double>& b, const OpCall<double>& c) {
  op.backward(b, c);
}
void backwardOf(const OpCase& op, const Backend<float>& b, const OpCall<float>& c) {
  op.backward_float(b, c);
}

/// One op with memory for all that its calls touch.
template <class Real>
class OpRun {
 public:
  OpRun(const OpCase& op, std::int64_t gap) : op_(op), backend_(makeCpuBackend<Real>()) {
    for (const OpInput& input : op.inputs) {
      plain_.push_back(drawn(input.size, std::uint32_t(plain_.size())));
      in_.emplace_back(input.size, gap, Real(0));
      in_.back().set(plain_.back());
      din_.emplace_back(input.has_gradient ? input.size : Size{}, gap, Real(0));
    }
    for (const Size size : op.outputs) out_.emplace_back(size, gap, Real(kForeign));
    dout_.emplace_back(op.outputs.front(), gap, Real(0));
    dout_.back().set(drawn(op.outputs.front(), 99));
  }

  const std::vector<PlainMatrix>& inputs() const { return plain_; }
  void setInput(std::size_t i, const PlainMatrix& m) { in_[i].set(m); }
  void forward() { forwardOf(op_, *backend_, call(kAll)); }
  void backward() { backwardOf(op_, *backend_, call(kAll)); }
  /// Over numbers that mean nothing.
  void backwardAfresh() {
    for (Held<Real>& d : din_) d.fill(Real(kForeign));
    OpCall<Real> c = call(kAll);
    for (GradientView<Real>& d : c.din) d.fresh = true;
    backwardOf(op_, *backend_, c);
  }
  void backwardOnly(std::size_t wanted) { backwardOf(op_, *backend_, call(wanted)); }
  void backwardOfNothing() { backwardOf(op_, *backend_, call(kNothing)); }

  PlainMatrix output(std::size_t i) { return out_[i].get(); }
  PlainMatrix gradient(std::size_t i) { return din_[i].get(); }
  /// The number that `gradient` is the gradient of.
  double loss() {
    const PlainMatrix y = out_.front().get(), weight = dout_.front().get();
    double sum = 0.0;
    for (std::size_t i = 0; i < y.values.size(); ++i) sum += y.values[i] * weight.values[i];
    return sum;
  }
  bool foreignUntouched() const {
    for (const auto* matrices : {&in_, &out_, &din_, &dout_})
      for (const Held<Real>& m : *matrices)
        if (!m.foreignUntouched()) return false;
    return true;
  }

 private:
  static constexpr std::size_t kAll = std::size_t(-1), kNothing = std::size_t(-2);

  OpCall<Real> call(std::size_t wanted) {
    OpCall<Real> c;
    for (auto& m : in_) c.in.push_back(m.view());
    for (auto& m : out_) c.out.push_back(m.view());
    for (std::size_t i = 0; i < din_.size(); ++i)
      c.din.emplace_back(wanted == kAll || wanted == i ? din_[i].view() : MatrixView<Real>{});
    c.dout = dout_.front().view();
    return c;
  }

  const OpCase& op_;
  std::unique_ptr<Backend<Real>> backend_;
  std::vector<PlainMatrix> plain_;
  std::vector<Held<Real>> in_, out_, din_, dout_;
};

double largest(const PlainMatrix& m) {
  double result = 0.0;
  for (const double value : m.values)
    if (std::isfinite(value)) result = std::max(result, std::abs(value));
  return result;
}

/// "" or the first element in which two matrices differ by more than `tolerance`. Infinities must
/// be equal.
std::string difference(const std::string& what, const PlainMatrix& got, const PlainMatrix& expected,
                       double tolerance) {
  for (std::int64_t r = 0; r < expected.size.rows; ++r) {
    for (std::int64_t c = 0; c < expected.size.cols; ++c) {
      const double a = got.at(r, c), b = expected.at(r, c);
      if (a == b || std::abs(a - b) <= tolerance) continue;
      std::ostringstream text;
      text.precision(17);
      text << what << " (" << r << ", " << c << ") is " << a << ", expected " << b;
      return text.str();
    }
  }
  return {};
}

std::string numbered(const char* what, std::size_t i) { return what + std::to_string(i); }

}  // namespace

std::string wrongValue(const OpCase& op, std::int64_t gap) {
  OpRun<double> run(op, gap);
  run.forward();
  const std::vector<PlainMatrix> expected = op.reference(run.inputs());
  for (std::size_t i = 0; i < op.outputs.size(); ++i) {
    if (op.outputs[i].rows == 0) continue;
    const double tolerance = 1e-12 * std::max(1.0, largest(expected[i]));
    const std::string wrong =
        difference(numbered("output ", i), run.output(i), expected[i], tolerance);
    if (!wrong.empty()) return wrong;
  }
  run.backward();
  return run.foreignUntouched() ? "" : "numbers outside the views were written";
}

std::string wrongGradient(const OpCase& op, std::int64_t gap) {
  constexpr double kStep = 1e-5;
  OpRun<double> run(op, gap);
  run.forward();
  run.backward();
  for (std::size_t i = 0; i < op.inputs.size(); ++i) {
    if (!op.inputs[i].has_gradient || op.inputs[i].size.rows == 0) continue;
    PlainMatrix x = run.inputs()[i];
    PlainMatrix expected(x.size);
    for (std::size_t j = 0; j < x.values.size(); ++j) {
      const double value = x.values[j];
      const auto lossAt = [&](double v) {
        x.values[j] = v;
        run.setInput(i, x);
        run.forward();
        return run.loss();
      };
      expected.values[j] = (lossAt(value + kStep) - lossAt(value - kStep)) / (2.0 * kStep);
      x.values[j] = value;
    }
    run.setInput(i, x);
    const double tolerance = 1e-6 * largest(expected) + 1e-9;
    const std::string wrong =
        difference(numbered("gradient ", i), run.gradient(i), expected, tolerance);
    if (!wrong.empty()) return wrong;
  }
  return {};
}

std::string wrongInFloat(const OpCase& op, std::int64_t gap) {
  OpRun<double> exact(op, gap);
  OpRun<float> run(op, gap);
  exact.forward();
  run.forward();
  exact.backward();
  run.backward();
  const auto compare = [&](const std::string& what, const PlainMatrix& got,
                           const PlainMatrix& expected) {
    return difference(what, got, expected, op.float_tolerance * std::max(1.0, largest(expected)));
  };
  for (std::size_t i = 0; i < op.outputs.size(); ++i) {
    const std::string wrong = compare(numbered("output ", i), run.output(i), exact.output(i));
    if (!wrong.empty()) return wrong;
  }
  for (std::size_t i = 0; i < op.inputs.size(); ++i) {
    const std::string wrong = compare(numbered("gradient ", i), run.gradient(i), exact.gradient(i));
    if (!wrong.empty()) return wrong;
  }
  return run.foreignUntouched() ? "" : "numbers outside the views were written";
}

std::string wrongAccumulation(const OpCase& op, std::int64_t gap) {
  OpRun<double> once(op, gap), twice(op, gap);
  once.forward();
  once.backward();
  twice.forward();
  twice.backward();
  twice.backward();
  for (std::size_t i = 0; i < op.inputs.size(); ++i) {
    PlainMatrix expected = once.gradient(i);
    for (double& value : expected.values) value *= 2.0;
    const std::string wrong = difference(numbered("gradient ", i), twice.gradient(i), expected,
                                         1e-12 * std::max(1.0, largest(expected)));
    if (!wrong.empty()) return wrong;
  }
  return {};
}

std::string wrongAfresh(const OpCase& op, std::int64_t gap) {
  OpRun<double> run(op, gap), fresh(op, gap);
  run.forward();
  run.backward();
  fresh.forward();
  fresh.backwardAfresh();
  for (std::size_t i = 0; i < op.inputs.size(); ++i) {
    const PlainMatrix expected = run.gradient(i);
    const std::string wrong = difference(numbered("gradient ", i), fresh.gradient(i), expected,
                                         1e-14 * std::max(1.0, largest(expected)));
    if (!wrong.empty()) return wrong;
  }
  return fresh.foreignUntouched() ? "" : "numbers outside the views were written";
}

std::string wrongWithEmptyViews(const OpCase& op, std::int64_t gap) {
  OpRun<double> all(op, gap);
  all.forward();
  all.backward();
  for (std::size_t wanted = 0; wanted < op.inputs.size(); ++wanted) {
    OpRun<double> one(op, gap);
    one.forward();
    one.backwardOfNothing();
    one.backwardOnly(wanted);
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      const PlainMatrix full = all.gradient(i);
      // Not bit for bit: the order of sums depends on where the memory of a test happens to lie.
      const double tolerance = i == wanted ? 1e-14 * std::max(1.0, largest(full)) : 0.0;
      const std::string wrong = difference(numbered("gradient ", i), one.gradient(i),
                                           i == wanted ? full : PlainMatrix(full.size), tolerance);
      if (!wrong.empty()) return wrong;
    }
  }
  return {};
}

}  // namespace tfm::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/program/ops/op_checker.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include "core/backend/explanation.h"
#include "core/backend/registry.h"
#include "core/tensor/random.h"

namespace tfm::test {
namespace {

constexpr std::int64_t kDifferences = 1000;  // of an input, for its gradient
constexpr double kForeign = std::numeric_limits<double>::quiet_NaN();

/// The same numbers in float and double.
PlainMatrix drawn(Size size, std::uint32_t stream, Draw draw = Draw::Small) {
  const double least = 0.05, largest = draw == Draw::Small ? 1.0 : 30.0;
  PlainMatrix m(size);
  const Random random(11, stream);
  for (std::size_t i = 0; i < m.values.size(); ++i) {
    const double u = 2.0 * random.uniform(i) - 1.0;
    double value = least + (largest - least) * std::abs(u);
    if (draw == Draw::WideAndZeros && i % 5 == 2) value = 0.0;
    if (draw == Draw::WideAndZeros && i % 5 == 4) value = 1e-40;
    m.values[i] = double(float(std::copysign(value, u)));
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

/// One op with memory for all that its calls touch.
template <class Real>
class OpRun {
 public:
  OpRun(const OpCase& op, std::int64_t gap, const Backend<Real>& backend)
      : op_(op), backend_(backend), dout_(op.output(0), gap, Real(0)) {
    for (std::size_t i = 0; i < op.step().inputs.size(); ++i) {
      plain_.push_back(drawn(op.input(i), std::uint32_t(i), i == 0 ? op.draw : Draw::Small));
      in_.emplace_back(op.input(i), gap, Real(0));
      in_.back().set(plain_.back());
      din_.emplace_back(op.hasGradient(i) ? op.input(i) : Size{}, gap, Real(0));
    }
    for (std::size_t i = 0; i < op.step().outputs.size(); ++i)
      out_.emplace_back(op.output(i), gap, Real(kForeign));
    dout_.set(drawn(op.output(0), 99));
  }

  const std::vector<PlainMatrix>& inputs() const { return plain_; }
  std::vector<PlainMatrix> expected() const {
    return op_.plain({plain_, op_.ids, op_.step().arguments, op_.position});
  }
  void setInput(std::size_t i, std::int64_t row, std::int64_t col, double value) {
    in_[i].view().at(row, col) = Real(value);
  }
  void forward() { backend_.forward(call(kAll)); }
  Explanation explain(const StepNumber& of) {
    return op_.step().op->template kernels<Real>().explain(call(kAll), of);
  }
  /// A number that an explanation names, after backward(); of gradients that no one keeps, as they
  /// are explained.
  double number(const StepNumber& of) {
    if (of.gradient && of.of == StepNumber::Of::Output && of.index > 0) return explain(of).value();
    return explain::numberIn(call(kAll), of);
  }
  void backward() { backend_.backward(call(kAll)); }
  /// Over numbers that mean nothing.
  void backwardAfresh() {
    for (Held<Real>& d : din_) d.fill(Real(kForeign));
    OpCall<Real> c = call(kAll);
    for (auto& input : c.inputs) input.gradient.fresh = true;
    backend_.backward(c);
  }
  void backwardOnly(std::size_t wanted) { backend_.backward(call(wanted)); }
  void backwardOfNothing() { backend_.backward(call(kNothing)); }

  PlainMatrix output(std::size_t i) { return out_[i].get(); }
  PlainMatrix gradient(std::size_t i) { return din_[i].get(); }
  /// The number that `gradient` is the gradient of.
  double loss() {
    const MatrixView<Real> y = out_.front().view(), weight = dout_.view();
    double sum = 0.0;
    for (std::int64_t r = 0; r < y.rows; ++r)
      for (std::int64_t c = 0; c < y.cols; ++c) sum += double(y.at(r, c)) * double(weight.at(r, c));
    return sum;
  }
  bool foreignUntouched() const {
    for (const auto* matrices : {&in_, &out_, &din_})
      for (const Held<Real>& m : *matrices)
        if (!m.foreignUntouched()) return false;
    return dout_.foreignUntouched();
  }

 private:
  static constexpr std::size_t kAll = std::size_t(-1), kNothing = std::size_t(-2);

  OpCall<Real> call(std::size_t wanted) {
    OpCall<Real> c;
    c.op = op_.step().op;
    c.arguments = &op_.step().arguments;
    c.position = &op_.position;
    for (std::size_t i = 0; i < in_.size(); ++i) {
      c.inputs[i].values = in_[i].view();
      c.inputs[i].ids = op_.ids[i];
      if (wanted == kAll || wanted == i) c.inputs[i].gradient = din_[i].view();
    }
    for (std::size_t i = 0; i < out_.size(); ++i) c.outputs[i].values = out_[i].view();
    c.outputs[0].gradient = dout_.view();
    return c;
  }

  const OpCase& op_;
  const Backend<Real>& backend_;
  std::vector<PlainMatrix> plain_;
  std::vector<Held<Real>> in_, out_, din_;
  Held<Real> dout_;
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

/// "" or the first gradient that differs by more than `tolerance` of the largest number in it.
template <class Run, class Expected>
std::string gradientDifference(Run& run, std::size_t count, double tolerance,
                               const Expected& expected) {
  for (std::size_t i = 0; i < count; ++i) {
    const PlainMatrix right = expected(i);
    const std::string wrong = difference(numbered("gradient ", i), run.gradient(i), right,
                                         tolerance * std::max(1.0, largest(right)));
    if (!wrong.empty()) return wrong;
  }
  return {};
}

/// Up to about so many cells of a matrix, in all its columns.
std::vector<std::pair<std::int64_t, std::int64_t>> someCells(Size size, std::int64_t most = 40) {
  std::vector<std::pair<std::int64_t, std::int64_t>> cells;
  const std::int64_t count = size.rows * size.cols;
  std::int64_t step = std::max<std::int64_t>(1, count / most);
  while (step > 1 && std::gcd(step, size.cols) != 1) ++step;
  for (std::int64_t i = 0; i < count; i += step) cells.emplace_back(i / size.cols, i % size.cols);
  return cells;
}

template <class Run>
std::string foreignWritten(const Run& run) {
  return run.foreignUntouched() ? "" : "numbers outside the views were written";
}

}  // namespace

std::string wrongValue(const OpCase& op, std::int64_t gap, const Backend<double>& backend) {
  OpRun<double> run(op, gap, backend);
  run.forward();
  const std::vector<PlainMatrix> expected = run.expected();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (i >= op.step().outputs.size() || op.output(i).rows == 0) continue;
    const double tolerance = 1e-12 * std::max(1.0, largest(expected[i]));
    const std::string wrong =
        difference(numbered("output ", i), run.output(i), expected[i], tolerance);
    if (!wrong.empty()) return wrong;
  }
  run.backward();
  return foreignWritten(run);
}

std::string wrongGradient(const OpCase& op, std::int64_t gap, const Backend<double>& backend) {
  constexpr double kStep = 1e-5;
  OpRun<double> run(op, gap, backend);
  run.forward();
  run.backward();
  for (std::size_t i = 0; i < run.inputs().size(); ++i) {
    if (!op.hasGradient(i)) continue;
    const PlainMatrix& x = run.inputs()[i];
    const PlainMatrix got = run.gradient(i);
    PlainMatrix expected = got;
    double most = 0.0;
    for (const auto& [r, c] : someCells(x.size, kDifferences)) {
      const auto lossAt = [&, r = r, c = c](double value) {
        run.setInput(i, r, c, value);
        run.forward();
        return run.loss();
      };
      const double value = x.at(r, c);
      expected.at(r, c) = (lossAt(value + kStep) - lossAt(value - kStep)) / (2.0 * kStep);
      most = std::max(most, std::abs(expected.at(r, c)));
      run.setInput(i, r, c, value);
    }
    const std::string wrong =
        difference(numbered("gradient ", i), got, expected, 1e-6 * most + 1e-9);
    if (!wrong.empty()) return wrong;
  }
  return {};
}

namespace {

/// "" or how an explanation misses its number.
std::string missed(const std::string& what, const Explanation& e, double number) {
  double largest = std::max(1.0, std::abs(number));
  for (const Contribution& term : e.terms)
    if (std::isfinite(term.amount)) largest = std::max(largest, std::abs(term.amount));
  const double value = e.value();
  if (value == number || std::abs(value - number) <= 1e-12 * largest) return {};
  std::ostringstream text;
  text.precision(17);
  text << what << " is " << number << ", explained as " << value << ": " << e.formula;
  return text.str();
}

/// "" or a term whose amount is not what its factors give.
template <class Run>
std::string falseTerm(const std::string& what, Run& run, const Explanation& e) {
  for (const Contribution& term : e.terms) {
    if (term.factors == 0) continue;
    double product = term.factor;
    for (std::size_t i = 0; i < term.factors; ++i) product *= run.number(term.sources[i]);
    // A gradient on the way may be a small difference of larger numbers.
    const double room = 1e-10 * std::abs(product) + 1e-14;
    if (product == term.amount || std::abs(product - term.amount) <= room) continue;
    std::ostringstream text;
    text.precision(17);
    text << what << " has a term " << term.amount << " whose factors give " << product << ": "
         << e.formula;
    return text.str();
  }
  return {};
}

using InputCell = std::tuple<std::size_t, std::int64_t, std::int64_t>;

/// The cells of inputs that an output's number is made of, directly or by other outputs.
template <class Run>
void collectSources(Run& run, const StepNumber& of, std::set<InputCell>& cells) {
  for (const Contribution& term : run.explain(of).terms)
    for (const StepNumber& source : term.sources) {
      if (source.of == StepNumber::Of::Output)
        collectSources(run, source, cells);
      else
        cells.insert({source.index, source.row, source.col});
    }
}

}  // namespace

std::string wrongExplanation(const OpCase& op, std::int64_t gap, const Backend<double>& backend) {
  if (!op.explained) return {};
  OpRun<double> run(op, gap, backend);
  run.forward();
  run.backward();
  const auto place = [](const char* what, std::size_t i, std::int64_t row, std::int64_t col) {
    return numbered(what, i) + " (" + std::to_string(row) + ", " + std::to_string(col) + ")";
  };
  std::vector<PlainMatrix> outputs;
  for (std::size_t i = 0; i < op.step().outputs.size(); ++i) {
    outputs.push_back(run.output(i));
    for (const auto& [row, col] : someCells(op.output(i))) {
      const std::string what = place("output ", i, row, col);
      const Explanation e = run.explain(explain::out(i, row, col));
      for (const std::string& wrong :
           {missed(what, e, outputs[i].at(row, col)), falseTerm(what, run, e)})
        if (!wrong.empty()) return wrong;
    }
  }
  for (std::size_t i = 0; i < op.step().inputs.size(); ++i) {
    if (!op.hasGradient(i)) continue;
    const PlainMatrix gradient = run.gradient(i);
    for (const auto& [row, col] : someCells(op.input(i))) {
      const std::string what = place("gradient ", i, row, col);
      const Explanation e = run.explain(explain::d(explain::in(i, row, col)));
      for (const std::string& wrong :
           {missed(what, e, gradient.at(row, col)), falseTerm(what, run, e)})
        if (!wrong.empty()) return wrong;
    }
  }
  for (const auto& [row, col] : someCells(op.output(0), 3)) {
    std::set<InputCell> sources;
    collectSources(run, explain::out(0, row, col), sources);
    for (std::size_t i = 0; i < run.inputs().size(); ++i) {
      const PlainMatrix& x = run.inputs()[i];
      for (const auto& [r, c] : someCells(x.size, 25)) {
        if (sources.contains({i, r, c})) continue;
        run.setInput(i, r, c, 0.3 - x.at(r, c));
        run.forward();
        run.setInput(i, r, c, x.at(r, c));
        if (run.output(0).at(row, col) != outputs[0].at(row, col))
          return place("output ", 0, row, col) + " depends on " + place("input ", i, r, c);
      }
    }
  }
  return {};
}

std::string wrongInFloat(const OpCase& op, std::int64_t gap, const Backend<double>& backend) {
  const auto single = makeBackend<float>();
  OpRun<double> exact(op, gap, backend);
  OpRun<float> run(op, gap, *single);
  exact.forward();
  run.forward();
  exact.backward();
  run.backward();
  for (std::size_t i = 0; i < op.step().outputs.size(); ++i) {
    const PlainMatrix expected = exact.output(i);
    const std::string wrong = difference(numbered("output ", i), run.output(i), expected,
                                         op.float_tolerance * std::max(1.0, largest(expected)));
    if (!wrong.empty()) return wrong;
  }
  const std::string wrong = gradientDifference(run, run.inputs().size(), op.float_tolerance,
                                               [&](std::size_t i) { return exact.gradient(i); });
  return wrong.empty() ? foreignWritten(run) : wrong;
}

std::string wrongAccumulation(const OpCase& op, std::int64_t gap, const Backend<double>& backend) {
  OpRun<double> once(op, gap, backend), twice(op, gap, backend);
  once.forward();
  once.backward();
  twice.forward();
  twice.backward();
  twice.backward();
  return gradientDifference(twice, once.inputs().size(), 1e-12, [&](std::size_t i) {
    PlainMatrix expected = once.gradient(i);
    for (double& value : expected.values) value *= 2.0;
    return expected;
  });
}

std::string wrongAfresh(const OpCase& op, std::int64_t gap, const Backend<double>& backend) {
  OpRun<double> run(op, gap, backend), fresh(op, gap, backend);
  run.forward();
  run.backward();
  fresh.forward();
  fresh.backwardAfresh();
  const std::string wrong = gradientDifference(fresh, run.inputs().size(), 1e-14,
                                               [&](std::size_t i) { return run.gradient(i); });
  return wrong.empty() ? foreignWritten(fresh) : wrong;
}

std::string wrongWithEmptyViews(const OpCase& op, std::int64_t gap,
                                const Backend<double>& backend) {
  OpRun<double> all(op, gap, backend);
  all.forward();
  all.backward();
  for (std::size_t wanted = 0; wanted < all.inputs().size(); ++wanted) {
    OpRun<double> one(op, gap, backend);
    one.forward();
    one.backwardOfNothing();
    one.backwardOnly(wanted);
    for (std::size_t i = 0; i < all.inputs().size(); ++i) {
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

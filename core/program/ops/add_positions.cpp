// SPDX-License-Identifier: GPL-3.0-or-later
#define HWY_TARGET_INCLUDE "core/program/ops/add_positions.cpp"
#include <hwy/foreach_target.h>  // comes before highway.h

#include "core/backend/cpu/elementwise.h"
#include "core/backend/cpu/target.h"
#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::ops::HWY_NAMESPACE {
namespace {

using namespace cpu::HWY_NAMESPACE;

struct AddPositionsKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto y = c.out(0);
    const auto x = c.in(0), positions = c.in(1);
    const std::int64_t length = c.template get<SequenceArguments>().length;
    const auto sum = [](Lane<Real> a, Lane<Real> b) { return hn::Add(a, b); };
    for (std::int64_t first = 0; first < x.rows; first += length)
      elementwise(y.rowsFrom(first, length), sum, x.rowsFrom(first, length),
                  positions.rowsFrom(0, length));
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const auto dy = c.dout(0);
    const std::int64_t length = c.template get<SequenceArguments>().length;
    const auto same = [](Lane<Real> v) { return v; };
    accumulateElementwise(c.din(0), same, dy);
    const auto dpositions = clearIfFresh(c.din(1));
    if (!dpositions) return;
    for (std::int64_t first = 0; first < dy.rows; first += length)
      accumulateElementwise<Real>(dpositions.rowsFrom(0, length), same, dy.rowsFrom(first, length));
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return c.out(0).size();
  }
};

Op addPositionsOp() {
  return makeOp<AddPositionsKernels>("add positions", "y[r] = x[r] + positions[r mod length]");
}

}  // namespace
}  // namespace tfm::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tfm::ops {

HWY_EXPORT(addPositionsOp);
namespace {

using namespace explain;

struct AddPositionsExplained {
  static constexpr std::string_view kOutputs = "y", kInputs = "x positions";
  static std::string sentence(const StepReader& s) {
    if (s.get<SequenceArguments>().length == 1 && s.out().rows > 1)
      return atEach(s.out()) + "the same " + numbers(s.out().cols) + " of " + s.inName(1) +
             " are added";
    return atEach(s.out()) + numbers(s.out().cols) + " that stand for the place are added";
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const std::int64_t length = c.template get<SequenceArguments>().length;
    if (!of.gradient) {
      Explanation e{"y[r, c] = x[r, c] + positions[r, c]"};
      product(e, c, 1, {in(0, of.row, of.col)});
      product(e, c, 1, {in(1, of.row % length, of.col)});
      return e;
    }
    Explanation e{of.index == 0 ? "dx[r, c] = dy[r, c]"
                                : "dpositions[t, c] = sum of dy[r, c] at position t"};
    if (of.index == 0) product(e, c, 1, {d(out(0, of.row, of.col))});
    // Positions beyond the length are not used.
    if (of.index == 1 && of.row < length)
      for (std::int64_t r = of.row; r < c.out(0).rows; r += length)
        product(e, c, 1, {d(out(0, r, of.col))});
    return e;
  }
};

}  // namespace

const Op kAddPositions = explained<AddPositionsExplained>(
    cpu::onTargets([](KernelSet) { return HWY_DYNAMIC_DISPATCH(addPositionsOp)(); }));

TensorId addPositions(ProgramBuilder& b, const std::string& path, TensorId x, TensorId positions,
                      std::int64_t length) {
  const TensorInfo t = b.tensor(x);
  check(b.tensor(positions).cols == t.cols && b.tensor(positions).rows >= length &&
            t.rows % length == 0,
        "add positions: the table has a row for each position");
  const TensorId y = b.activation(path, t.rows, t.cols);
  b.append({&kAddPositions, path, {x, positions}, {y}, SequenceArguments{length}});
  return y;
}

}  // namespace tfm::ops
#endif

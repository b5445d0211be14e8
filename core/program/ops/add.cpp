// SPDX-License-Identifier: GPL-3.0-or-later
#define HWY_TARGET_INCLUDE "core/program/ops/add.cpp"
#include <hwy/foreach_target.h>  // comes before highway.h

#include "core/backend/cpu/elementwise.h"
#include "core/backend/cpu/target.h"
#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::ops::HWY_NAMESPACE {
namespace {

using namespace cpu::HWY_NAMESPACE;

struct AddKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto sum = [](Lane<Real> a, Lane<Real> b) { return hn::Add(a, b); };
    elementwise(c.out(0), sum, c.in(0), c.in(1));
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const auto same = [](Lane<Real> dy) { return dy; };
    accumulateElementwise(c.din(0), same, c.dout(0));
    accumulateElementwise(c.din(1), same, c.dout(0));
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return c.out(0).size();
  }
};

Op addOp() { return makeOp<AddKernels>("add", "y = a + b"); }

}  // namespace
}  // namespace tfm::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tfm::ops {

HWY_EXPORT(addOp);
namespace {

using namespace explain;

struct AddExplained {
  static constexpr std::string_view kOutputs = "y", kInputs = "a b";
  static std::string sentence(const StepReader& s) {
    return atEach(s.out()) + "the " + numbers(s.out().cols) + " of " + s.inName(1) +
           " are added to the " + std::to_string(s.out().cols) + " of " + s.inName(0);
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    if (of.gradient) {
      Explanation e{of.index == 0 ? "da[r, c] = dy[r, c]" : "db[r, c] = dy[r, c]"};
      product(e, c, 1, {d(out(0, of.row, of.col))});
      return e;
    }
    Explanation e{"y[r, c] = a[r, c] + b[r, c]"};
    product(e, c, 1, {in(0, of.row, of.col)});
    product(e, c, 1, {in(1, of.row, of.col)});
    return e;
  }
};

}  // namespace

const Op kAdd = explained<AddExplained>(
    cpu::onTargets([](KernelSet) { return HWY_DYNAMIC_DISPATCH(addOp)(); }));

TensorId add(ProgramBuilder& b, const std::string& path, TensorId left, TensorId right) {
  const TensorInfo t = b.tensor(left);
  check(b.tensor(right).rows == t.rows && b.tensor(right).cols == t.cols, "add: equal shapes");
  const TensorId y = b.activation(path, t.rows, t.cols);
  b.append({&kAdd, path, {left, right}, {y}, {}});
  return y;
}

}  // namespace tfm::ops
#endif

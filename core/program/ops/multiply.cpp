// SPDX-License-Identifier: GPL-3.0-or-later
#define HWY_TARGET_INCLUDE "core/program/ops/multiply.cpp"
#include <hwy/foreach_target.h>  // comes before highway.h

#include "core/backend/cpu/elementwise.h"
#include "core/backend/cpu/target.h"
#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::ops::HWY_NAMESPACE {
namespace {

using namespace cpu::HWY_NAMESPACE;

struct MultiplyKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    elementwise(c.out(0), product<Real>, c.in(0), c.in(1));
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    // da += dy b,  db += dy a
    accumulateElementwise(c.din(0), product<Real>, c.dout(0), c.in(1));
    accumulateElementwise(c.din(1), product<Real>, c.dout(0), c.in(0));
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return c.out(0).size();
  }

 private:
  template <class Real>
  static Lane<Real> product(Lane<Real> a, Lane<Real> b) {
    return hn::Mul(a, b);
  }
};

Op multiplyOp() { return makeOp<MultiplyKernels>("multiply", "y = a * b"); }

}  // namespace
}  // namespace tfm::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tfm::ops {

HWY_EXPORT(multiplyOp);
namespace {

using namespace explain;

struct MultiplyExplained {
  static constexpr std::string_view kOutputs = "y", kInputs = "a b";
  static std::string sentence(const StepReader& s) {
    return atEach(s.out()) + "the " + numbers(s.out().cols) + " of " + s.inName(1) +
           " are multiplied by the " + std::to_string(s.out().cols) + " of " + s.inName(0);
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const StepNumber a = in(0, of.row, of.col), b = in(1, of.row, of.col);
    if (!of.gradient) {
      Explanation e{"y[r, c] = a[r, c] b[r, c]"};
      explain::product(e, c, 1, {a, b});
      return e;
    }
    Explanation e{of.index == 0 ? "da[r, c] = dy[r, c] b[r, c]" : "db[r, c] = dy[r, c] a[r, c]"};
    explain::product(e, c, 1, {d(out(0, of.row, of.col)), of.index == 0 ? b : a});
    return e;
  }
};

}  // namespace

const Op kMultiply = explained<MultiplyExplained>(
    cpu::onTargets([](KernelSet) { return HWY_DYNAMIC_DISPATCH(multiplyOp)(); }));

TensorId multiply(ProgramBuilder& b, const std::string& path, TensorId left, TensorId right) {
  const TensorInfo t = b.tensor(left);
  check(b.tensor(right).rows == t.rows && b.tensor(right).cols == t.cols, "multiply: equal shapes");
  const TensorId y = b.activation(path, t.rows, t.cols);
  b.append({&kMultiply, path, {left, right}, {y}, {}});
  return y;
}

}  // namespace tfm::ops
#endif

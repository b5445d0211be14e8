// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"
#include "core/tensor/eigen_map.h"

namespace tfm::ops {
namespace {

struct RepeatHeadsKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto& [times, size] = c.template get<RepeatArguments>();
    const auto x = c.in(0);
    const auto y = c.out(0);
    for (std::int64_t head = 0; head < y.cols / size; ++head)
      map(y.colsFrom(head * size, size)) = map(x.colsFrom(head / times * size, size));
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const auto& [times, size] = c.template get<RepeatArguments>();
    const auto dx = clearIfFresh(c.din(0));
    const auto dy = c.dout(0);
    if (!dx) return;
    // The gradients of the copies add up.
    for (std::int64_t head = 0; head < dy.cols / size; ++head)
      map(dx.colsFrom(head / times * size, size)) += map(dy.colsFrom(head * size, size));
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>&) {
    return 0;
  }
};

using namespace explain;

struct RepeatHeadsExplained {
  static constexpr std::string_view kOutputs = "y", kInputs = "x";
  static std::string sentence(const StepReader& s) {
    const auto& [times, size] = s.get<RepeatArguments>();
    return "Each of " + counted(s.out().cols / size / times, "head") + " serves " +
           counted(times, "head") + " of queries";
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const auto& [times, size] = c.template get<RepeatArguments>();
    const std::int64_t head = of.col / size, place = of.col % size;
    if (!of.gradient) {
      Explanation e{"y[r, c] = x[r, c] of the head that is shared"};
      product(e, c, 1, {in(0, of.row, head / times * size + place)});
      return e;
    }
    Explanation e{"dx[r, c] = sum of dy[r, c] of the heads that share it"};
    for (std::int64_t copy = 0; copy < times; ++copy)
      product(e, c, 1, {d(out(0, of.row, (head * times + copy) * size + place))});
    return e;
  }
};

}  // namespace

const Op kRepeatHeads = explained<RepeatHeadsExplained>(
    makeOp<RepeatHeadsKernels>("repeat heads", "y = each head of x, n times"));

TensorId repeatHeads(ProgramBuilder& b, const std::string& path, TensorId x,
                     const RepeatArguments& a) {
  const TensorInfo t = b.tensor(x);
  check(a.times > 0 && a.size > 0 && t.cols % a.size == 0, "repeat heads: columns of whole heads");
  const TensorId y = b.activation(path, t.rows, t.cols * a.times);
  b.append({&kRepeatHeads, path, {x}, {y}, a});
  return y;
}

}  // namespace tfm::ops

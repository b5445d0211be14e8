// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#define HWY_TARGET_INCLUDE "core/program/ops/mean_pool.cpp"
#include <hwy/foreach_target.h>  // comes before highway.h

#include "core/backend/cpu/elementwise.h"
#include "core/backend/cpu/target.h"
#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::ops::HWY_NAMESPACE {
namespace {

using namespace cpu::HWY_NAMESPACE;

using Ids = std::span<const std::int32_t>;

std::int64_t realRows(Ids pad, std::int64_t first, std::int64_t length) {
  const auto flags = pad.subspan(std::size_t(first), std::size_t(length));
  return std::count(flags.begin(), flags.end(), 0);
}

struct MeanPoolKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto y = c.out(0);
    elementwise(y, [] { return allOf(Real(0)); });
    overRealRows(c, y.rows, [&](std::int64_t b, std::int64_t r, Real share) {
      accumulateElementwise<Real>(y.rowsFrom(b, 1), scaledBy(share), c.in(0).rowsFrom(r, 1));
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const auto dx = clearIfFresh(c.din(0));
    const auto dy = c.dout(0);
    if (!dx) return;
    overRealRows(c, dy.rows, [&](std::int64_t b, std::int64_t r, Real share) {
      accumulateElementwise<Real>(dx.rowsFrom(r, 1), scaledBy(share), dy.rowsFrom(b, 1));
    });
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return 2 * c.in(0).size();
  }

 private:
  /// Calls work(sequence, row, 1 / real rows of the sequence) for all rows that are not padding.
  template <class Real, class Work>
  static void overRealRows(const OpCall<Real>& c, std::int64_t sequences, const Work& work) {
    const Ids pad = c.ids(1);
    const std::int64_t length = c.template get<SequenceArguments>().length;
    for (std::int64_t b = 0; b < sequences; ++b) {
      const std::int64_t first = b * length;
      const Real share = Real(1) / Real(std::max<std::int64_t>(1, realRows(pad, first, length)));
      for (std::int64_t r = first; r < first + length; ++r)
        if (pad[std::size_t(r)] == 0) work(b, r, share);
    }
  }
};

Op meanPoolOp() {
  return makeOp<MeanPoolKernels>("mean pool", "y = mean of the positions that are not padding");
}

}  // namespace
}  // namespace tfm::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tfm::ops {

HWY_EXPORT(meanPoolOp);
namespace {

using namespace explain;

struct MeanPoolExplained {
  static constexpr std::string_view kOutputs = "y", kInputs = "x pad";
  static std::string sentence(const StepReader& s) {
    return counted(s.in(0).rows, "position") + " become " + std::to_string(s.out().rows) +
           ": their mean, without padding";
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const auto pad = c.ids(1);
    const std::int64_t length = c.template get<SequenceArguments>().length;
    const std::int64_t sequence = of.gradient ? of.row / length : of.row;
    const std::int64_t first = sequence * length;
    const auto flags = pad.subspan(std::size_t(first), std::size_t(length));
    const auto real = double(std::count(flags.begin(), flags.end(), 0));
    if (of.gradient) {
      Explanation e{"dx[r, c] = dy[sequence of r, c] / positions without padding"};
      if (pad[std::size_t(of.row)] == 0) product(e, c, 1.0 / real, {d(out(0, sequence, of.col))});
      return e;
    }
    Explanation e{"y[s, c] = mean of x[r, c] over the positions r of s without padding"};
    for (std::int64_t r = first; r < first + length; ++r)
      if (pad[std::size_t(r)] == 0) product(e, c, 1.0 / real, {in(0, r, of.col)});
    return e;
  }
};

}  // namespace

// Zero if all positions are padding.
const Op kMeanPool = explained<MeanPoolExplained>(
    cpu::onTargets([](KernelSet) { return HWY_DYNAMIC_DISPATCH(meanPoolOp)(); }));

TensorId meanPool(ProgramBuilder& b, const std::string& path, TensorId x, TensorId pad,
                  std::int64_t length) {
  const TensorInfo t = b.tensor(x);
  check(b.tensor(pad).rows == t.rows && t.rows % length == 0,
        "mean pool: one pad flag per position");
  const TensorId y = b.activation(path, t.rows / length, t.cols);
  b.append({&kMeanPool, path, {x, pad}, {y}, SequenceArguments{length}});
  return y;
}

}  // namespace tfm::ops
#endif

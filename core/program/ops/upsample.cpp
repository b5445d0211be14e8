// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"
#include "core/tensor/eigen_map.h"

namespace tfm::ops {
namespace {

struct UpsampleKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto x = c.in(0);
    const auto y = c.out(0);
    overCopies(c, y.rows, [&](std::int64_t to, std::int64_t from) {
      if (from >= 0)
        map(y).row(to) = map(x).row(from);
      else
        map(y).row(to).setZero();
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    // dx = the sum of its copies' dy
    const auto dx = clearIfFresh(c.din(0));
    const auto dy = c.dout(0);
    if (!dx) return;
    overCopies(c, dy.rows, [&](std::int64_t to, std::int64_t from) {
      if (from >= 0) map(dx).row(from) += map(dy).row(to);
    });
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>&) {
    return 0;
  }

 private:
  /// Calls work(row, the row that it is a copy of or -1).
  template <class Real, class Work>
  static void overCopies(const OpCall<Real>& c, std::int64_t rows, const Work& work) {
    const auto& s = c.template get<SequenceUpsampling>();
    for (std::int64_t to = 0; to < rows; ++to) {
      const std::int64_t from = s.sourceOf(to % s.target_length);
      work(to, from < 0 ? from : to / s.target_length * s.length + from);
    }
  }
};

using namespace explain;

struct UpsampleExplained {
  static constexpr std::string_view kOutputs = "y", kInputs = "x";
  static std::string sentence(const StepReader& s) {
    return counted(s.in(0).rows, "position") + " become " + std::to_string(s.out().rows) +
           ": each is repeated";
  }
  static std::vector<std::vector<std::int64_t>> positions(const std::any& arguments) {
    const auto& s = std::any_cast<const SequenceUpsampling&>(arguments);
    std::vector<std::vector<std::int64_t>> all(std::size_t(s.target_length));
    for (std::size_t to = 0; to < all.size(); ++to)
      if (const std::int64_t from = s.sourceOf(std::int64_t(to)); from >= 0) all[to] = {from};
    return all;
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const auto& s = c.template get<SequenceUpsampling>();
    if (!of.gradient) {
      Explanation e{"y[t, c] = x[t div factor, c], 0 behind the last copy"};
      const std::int64_t from = s.sourceOf(of.row % s.target_length);
      if (from >= 0) product(e, c, 1, {in(0, of.row / s.target_length * s.length + from, of.col)});
      return e;
    }
    Explanation e{"dx[s, c] = sum of dy[t, c] over the copies of s"};
    const std::int64_t first = of.row / s.length * s.target_length;
    for (std::int64_t to = 0; to < s.target_length; ++to)
      if (s.sourceOf(to) == of.row % s.length) product(e, c, 1, {d(out(0, first + to, of.col))});
    return e;
  }
};

}  // namespace

// Dai et al. 2020, section 2.3. The official code fills up a truncated sequence with zeros.
const Op kUpsample = explained<UpsampleExplained>(makeOp<UpsampleKernels>(
    "up-sample", "y[t] = x[t div factor]; [CLS] once, zeros behind the last copy"));

TensorId upsample(ProgramBuilder& b, const std::string& path, TensorId x,
                  const SequenceUpsampling& sequence) {
  const TensorInfo t = b.tensor(x);
  check(sequence.length >= 1 && t.rows % sequence.length == 0, "up-sample: whole sequences");
  check(sequence.factor >= 1 && sequence.target_length >= 1 &&
            sequence.length * sequence.factor >= sequence.target_length,
        "up-sample: enough copies to fill the target");
  const TensorId y = b.activation(path, t.rows / sequence.length * sequence.target_length, t.cols);
  b.append({&kUpsample, path, {x}, {y}, sequence});
  return y;
}

}  // namespace tfm::ops

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"
#include "core/tensor/eigen_map.h"

namespace tfm::ops {
namespace {

struct JoinGroupsKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    overParts(c, [&](std::size_t input, std::int64_t from, std::int64_t to, std::int64_t cols) {
      map(c.out(0)).middleCols(to, cols) = map(c.in(input)).middleCols(from, cols);
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    overParts(c, [&](std::size_t input, std::int64_t from, std::int64_t to, std::int64_t cols) {
      const GradientView<Real> dx = c.din(input);
      if (!dx) return;
      if (dx.fresh)  // the parts are the whole
        map(dx.sum).middleCols(from, cols) = map(c.dout(0)).middleCols(to, cols);
      else
        map(dx.sum).middleCols(from, cols) += map(c.dout(0)).middleCols(to, cols);
    });
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>&) {
    return 0;
  }

 private:
  /// Calls work(input, its first column, the output's, how many) for every group of both inputs.
  template <class Real, class Work>
  static void overParts(const OpCall<Real>& c, const Work& work) {
    const std::int64_t groups = c.template get<JoinGroupsArguments>().groups;
    const std::int64_t left = c.in(0).cols / groups, right = c.in(1).cols / groups;
    for (std::int64_t g = 0; g < groups; ++g) {
      work(0, g * left, g * (left + right), left);
      work(1, g * right, g * (left + right) + left, right);
    }
  }
};

using namespace explain;

struct JoinGroupsExplained {
  static constexpr std::string_view kOutputs = "y", kInputs = "a b";
  static std::string sentence(const StepReader& s) {
    return atEach(s.out()) + numbers(s.in(0).cols) + " and " + std::to_string(s.in(1).cols) +
           " more stand side by side, in " + counted(s.get<JoinGroupsArguments>().groups, "group");
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const std::int64_t groups = c.template get<JoinGroupsArguments>().groups;
    const std::int64_t left = c.in(0).cols / groups, right = c.in(1).cols / groups;
    if (of.gradient) {
      Explanation e{of.index == 0 ? "da[r, c] = dy where a[r, c] went"
                                  : "db[r, c] = dy where b[r, c] went"};
      const std::int64_t own = of.index == 0 ? left : right;
      const std::int64_t col =
          of.col / own * (left + right) + of.col % own + (of.index == 0 ? 0 : left);
      product(e, c, 1, {d(out(0, of.row, col))});
      return e;
    }
    Explanation e{"y[r, c] = a or b"};
    const std::int64_t group = of.col / (left + right), within = of.col % (left + right);
    product(e, c, 1,
            {within < left ? in(0, of.row, group * left + within)
                           : in(1, of.row, group * right + within - left)});
    return e;
  }
};

}  // namespace

// The input mixer of DExTra (Mehta et al. 2021): every group of a grouped map reads a part of the
// block's input besides the previous map's output. It is a copy: products with two inputs would
// have to be told of by everything that knows a map by its one input (explanations, growth,
// pictures, the linear map at the unit's end), for the time of moving each number once.
const Op kJoinGroups = explained<JoinGroupsExplained>(
    makeOp<JoinGroupsKernels>("join groups", "y = [a_1 b_1 | a_2 b_2 | ...], group by group"));

TensorId joinGroups(ProgramBuilder& b, const std::string& path, TensorId left, TensorId right,
                    std::int64_t groups) {
  const TensorInfo l = b.tensor(left), r = b.tensor(right);
  check(l.rows == r.rows, "join groups: as many rows");
  check(groups >= 1 && l.cols % groups == 0 && r.cols % groups == 0,
        "join groups: both inputs have whole groups");
  const TensorId y = b.activation(path, l.rows, l.cols + r.cols);
  b.append({&kJoinGroups, path, {left, right}, {y}, JoinGroupsArguments{groups}});
  return y;
}

}  // namespace tfm::ops

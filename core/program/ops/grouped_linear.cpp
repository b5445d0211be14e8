// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#define HWY_TARGET_INCLUDE "core/program/ops/grouped_linear.cpp"
#include <hwy/foreach_target.h>  // comes before highway.h

#include "core/backend/cpu/grouped_product.h"
#include "core/backend/cpu/scratch.h"
#include "core/backend/cpu/target.h"
#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"
#include "core/tensor/eigen_map.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::ops::HWY_NAMESPACE {
namespace {

using namespace cpu::HWY_NAMESPACE;

// Rows that are shuffled while they are in the cache.
constexpr std::int64_t kShuffledRows = 64;

/// y[r, j * groups + i] = x[r, i * (cols / groups) + j].  With cols / groups for `groups` it is the
/// way back.
template <class Real>
void shuffle(MatrixView<Real> y, MatrixView<const Real> x, std::int64_t groups) {
  const std::int64_t each = x.cols / groups;
  for (std::int64_t r = 0; r < x.rows; ++r)
    transpose<Real>({y.row(r), each, groups}, {x.row(r), groups, each});
}

/// Groups too large for tiles: large products of each, and a shuffle of their results.
template <class Real>
struct LargeGroups {
  const OpCall<Real>& c;
  std::int64_t groups;
  bool shuffled;
  std::int64_t in = c.in(1).cols, out = c.in(1).rows / groups;  ///< of a group

  void forward() const {
    const auto x = c.in(0), w = c.in(1);
    const auto y = c.out(0);
    const std::int64_t block = shuffled ? std::min(kShuffledRows, x.rows) : x.rows;
    const auto [memory] = cpu::scratch<Real>(shuffled ? block * y.cols : 0);
    for (std::int64_t row = 0; row < x.rows; row += block) {
      const std::int64_t rows = std::min(block, x.rows - row);
      const auto target = shuffled ? MatrixView<Real>(memory, rows, y.cols) : y;
      if (const auto b = c.in(2))
        map(target).rowwise() = map(b).row(0);
      else
        map(target).setZero();
      for (std::int64_t g = 0; g < groups; ++g)
        map(target.colsFrom(g * out, out)).noalias() +=
            map(x.rowsFrom(row, rows).colsFrom(g * in, in)) *
            map(w.rowsFrom(g * out, out)).transpose();
      if (shuffled) shuffle<Real>(y.rowsFrom(row, rows), target, groups);
    }
  }
  void backward() const {
    const auto x = c.in(0), w = c.in(1);
    const auto dx = clearIfFresh(c.din(0)), dw = clearIfFresh(c.din(1));
    auto dy = c.dout(0);
    const auto [memory] = cpu::scratch<Real>(shuffled ? dy.size() : 0);
    if (shuffled) {
      const MatrixView<Real> straight(memory, dy.rows, dy.cols);
      shuffle<Real>(straight, dy, out);
      dy = straight;
    }
    for (std::int64_t g = 0; g < groups; ++g) {
      const auto dy_g = dy.colsFrom(g * out, out);
      if (dx) map(dx.colsFrom(g * in, in)).noalias() += map(dy_g) * map(w.rowsFrom(g * out, out));
      if (dw)
        map(dw.rowsFrom(g * out, out)).noalias() +=
            map(dy_g).transpose() * map(x.colsFrom(g * in, in));
    }
    if (c.din(2)) addRows<Real>(clearIfFresh(c.din(2)), dy);
  }
};

template <bool by_tiles>
struct GroupedLinearKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto& [groups, shuffled] = c.template get<GroupedLinearArguments>();
    const auto x = c.in(0), w = c.in(1), b = c.in(2);
    const auto y = c.out(0);
    const std::int64_t in = w.cols, out = w.rows / groups;  // of a group
    if (!by_tiles && !areSmall(in * out)) return LargeGroups<Real>{c, groups, shuffled}.forward();
    const auto [memory] =
        cpu::scratch<Real>(shuffled ? panelNumbers<Real>(groups, in, out) : w.size());
    if (shuffled) return shuffledProduct<Real>(y, x, w, b.data, memory, groups);
    const MatrixView<Real> w_transposed(memory, in, w.rows);
    transpose(w_transposed, w);
    groupedProduct<Real>({y.colsFrom(0, out),
                          cpu::plain(x.colsFrom(0, in)),
                          w_transposed.colsFrom(0, out),
                          {b.data, 0}},
                         {out, in, out}, groups);
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    // of each group, with dy before the shuffle:  dx = dy W,  dw = dy^T x,  db = the sum of dy's
    // rows
    const auto& [groups, shuffled] = c.template get<GroupedLinearArguments>();
    const auto dx = c.din(0), dw = c.din(1), db = c.din(2);
    const auto x = c.in(0), w = c.in(1), dy = c.dout(0);
    const std::int64_t in = w.cols, out = w.rows / groups;
    if (!by_tiles && !areSmall(in * out)) return LargeGroups<Real>{c, groups, shuffled}.backward();
    // Shuffled columns are read where they lie: those of a group in turn with the others'.
    const std::int64_t between = shuffled ? groups : 1, step = shuffled ? 1 : out;
    accumulateGroups<Real>({dx.sum.colsFrom(0, in), dx.fresh}, {dy.data, dy.stride, between},
                           w.rowsFrom(0, out), {in, step, out * w.stride}, groups);
    accumulateGroups<Real>({dw.sum.rowsFrom(0, out), dw.fresh}, {dy.data, between, dy.stride},
                           x.colsFrom(0, in), {out * dw.sum.stride, step, in}, groups);
    if (!db) return;
    if (!shuffled) return addRows<Real>(clearIfFresh(db), dy);
    const auto [sums] = cpu::scratch<Real>(dy.cols);
    std::fill_n(sums, dy.cols, Real(0));
    addRows<Real>({sums, 1, dy.cols}, dy);
    transpose<Real, true>({clearIfFresh(db).data, groups, out}, {sums, out, groups});
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return c.out(0).rows * (2 * c.in(1).size() + c.in(2).cols);
  }
};

template <bool by_tiles>
Op groupedLinearFor() {
  return makeOp<GroupedLinearKernels<by_tiles>>(
      "grouped linear", "y = [x_1 W_1^T | x_2 W_2^T | ...] + b, then shuffled");
}
Op groupedLinearOp(KernelSet set) {
  const bool by_tiles = set == KernelSet::Fixed || !cpu::openBlasKeepsUp();
  return by_tiles ? groupedLinearFor<true>() : groupedLinearFor<false>();
}

}  // namespace
}  // namespace tfm::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tfm::ops {

HWY_EXPORT(groupedLinearOp);
namespace {

using namespace explain;

struct GroupedLinearExplained {
  static constexpr std::string_view kOutputs = "y", kInputs = "x W b";
  static std::string sentence(const StepReader& s) {
    const auto& [groups, shuffle] = s.get<GroupedLinearArguments>();
    return atEach(s.out()) + numbers(s.in(0).cols) + " become " + std::to_string(s.out().cols) +
           " in " + counted(groups, "group") + ": each is a weighted sum of the " +
           std::to_string(s.in(0).cols / groups) + " of its group" +
           (shuffle ? "; then the groups are shuffled" : "");
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const auto& [groups, shuffle] = c.template get<GroupedLinearArguments>();
    const auto x = c.in(0), w = c.in(1);
    const std::int64_t each = w.rows / groups;  // outputs of a group
    // The weights' row that makes a column of y, and the other way round.
    const auto rowOf = [&](std::int64_t col) {
      return shuffle ? col % groups * each + col / groups : col;
    };
    const auto colOf = [&](std::int64_t row) {
      return shuffle ? row % each * groups + row / each : row;
    };
    if (!of.gradient) {
      const std::int64_t row = rowOf(of.col), first = row / each * w.cols;
      Explanation e{"y[r, c] = sum_j x[r, j] W[c, j] + b[c], j in the group of c"};
      for (std::int64_t j = 0; j < w.cols; ++j)
        product(e, c, 1, {in(0, of.row, first + j), in(1, row, j)});
      if (c.in(2)) product(e, c, 1, {in(2, 0, row)});
      return e;
    }
    if (of.index == 0) {
      const std::int64_t group = of.col / w.cols;
      Explanation e{"dx[r, j] = sum_c dy[r, c] W[c, j], c in the group of j"};
      for (std::int64_t row = group * each; row < (group + 1) * each; ++row)
        product(e, c, 1, {d(out(0, of.row, colOf(row))), in(1, row, of.col % w.cols)});
      return e;
    }
    const bool weight = of.index == 1;
    const std::int64_t row = weight ? of.row : of.col;
    Explanation e{weight ? "dW[c, j] = sum_r dy[r, c] x[r, j]" : "db[c] = sum_r dy[r, c]"};
    for (std::int64_t r = 0; r < x.rows; ++r) {
      if (weight)
        product(e, c, 1, {d(out(0, r, colOf(row))), in(0, r, row / each * w.cols + of.col)});
      else
        product(e, c, 1, {d(out(0, r, colOf(row)))});
    }
    return e;
  }
};

}  // namespace

// A linear map whose weights are blocks on the diagonal, which is all that is stored of them (Mehta
// et al. 2021, DeLighT). The shuffle hands every group of the next map features of all groups.
const Op kGroupedLinear = explained<GroupedLinearExplained>(
    cpu::onTargets([](KernelSet set) { return HWY_DYNAMIC_DISPATCH(groupedLinearOp)(set); }),
    OpKind::Map);

TensorId groupedLinear(ProgramBuilder& b, const std::string& path, TensorId x, TensorId weight,
                       TensorId bias, std::int64_t groups, bool shuffle) {
  const TensorInfo w = b.tensor(weight);
  check(groups >= 1 && w.rows % groups == 0 && b.tensor(x).cols == groups * w.cols,
        "grouped linear: the input and the weight's rows have whole groups");
  check(bias == kNoTensor || b.tensor(bias).cols == w.rows, "grouped linear: one bias an output");
  const TensorId y = b.activation(path, b.tensor(x).rows, w.rows);
  b.append(
      {&kGroupedLinear, path, {x, weight, bias}, {y}, GroupedLinearArguments{groups, shuffle}});
  return y;
}

}  // namespace tfm::ops
#endif

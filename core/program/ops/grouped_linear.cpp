// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#define HWY_TARGET_INCLUDE "core/program/ops/grouped_linear.cpp"
#include <hwy/foreach_target.h>  // comes before highway.h

#include "core/backend/cpu/scratch.h"
#include "core/backend/cpu/target.h"
#include "core/backend/cpu/tile_product.h"
#include "core/backend/explanation.h"
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

/// The parts of one group, as views of the whole.
struct GroupViews {
  std::int64_t group, in, out;

  template <class Any>
  MatrixView<Any> inputs(MatrixView<Any> x) const {
    return x.colsFrom(group * in, in);
  }
  template <class Any>
  MatrixView<Any> outputs(MatrixView<Any> y) const {
    return y.colsFrom(group * out, out);
  }
  template <class Any>
  MatrixView<Any> weights(MatrixView<Any> w) const {
    return w.rowsFrom(group * out, out);
  }
};

struct GroupedLinearKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto& [groups, shuffled] = c.template get<GroupedLinearArguments>();
    const auto x = c.in(0), w = c.in(1);
    const auto y = c.out(0);
    const bool small = areSmall(w.size() / groups);
    const std::int64_t block = shuffled ? std::min(kShuffledRows, x.rows) : x.rows;
    const auto [w_memory, y_memory] =
        cpu::scratch<Real>(small ? w.size() : 0, shuffled ? block * y.cols : 0);
    const MatrixView<Real> w_transposed(w_memory, w.cols, w.rows);
    if (small) transpose(w_transposed, w);
    for (std::int64_t row = 0; row < x.rows; row += block) {
      const std::int64_t rows = std::min(block, x.rows - row);
      const auto target = shuffled ? MatrixView<Real>(y_memory, rows, y.cols) : y;
      overGroups(c, [&](const GroupViews& of) {
        const auto x_g = of.inputs(x.rowsFrom(row, rows));
        const auto y_g = of.outputs(target);
        const auto b_g = c.in(2) ? of.outputs(c.in(2)) : c.in(2);
        if (small)
          return tileProduct<Real>(y_g, cpu::plain(x_g), of.outputs(w_transposed), b_g.data);
        if (b_g)
          map(y_g).rowwise() = map(b_g).row(0);
        else
          map(y_g).setZero();
        map(y_g).noalias() += map(x_g) * map(of.weights(w)).transpose();
      });
      if (shuffled) shuffle<Real>(y.rowsFrom(row, rows), target, groups);
    }
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    // of each group, with dy before the shuffle:  dx = dy W,  dw = dy^T x,  db = the sum of dy's
    // rows
    const auto& [groups, shuffled] = c.template get<GroupedLinearArguments>();
    const auto dx = c.din(0), dw = c.din(1), db = c.din(2);
    const auto x = c.in(0), w = c.in(1);
    const bool small = areSmall(w.size() / groups);
    auto dy = c.dout(0);
    // A tile product reads dy with any stride; a large one needs it without the shuffle.
    const bool strided = shuffled && small;
    const auto [dy_memory, sums] =
        cpu::scratch<Real>(shuffled && !small ? dy.size() : 0, strided ? dy.cols : 0);
    if (shuffled && !small) {
      const MatrixView<Real> straight(dy_memory, dy.rows, dy.cols);
      shuffle<Real>(straight, dy, dy.cols / groups);
      dy = straight;
    }
    overGroups(c, [&](const GroupViews& of) {
      const auto x_g = of.inputs(x), w_g = of.weights(w);
      const GradientView<Real> dx_g = dx ? GradientView<Real>{of.inputs(dx.sum), dx.fresh} : dx;
      const GradientView<Real> dw_g = dw ? GradientView<Real>{of.weights(dw.sum), dw.fresh} : dw;
      if (small) {
        const cpu::StridedMatrix<Real> dy_g =
            strided ? cpu::StridedMatrix<Real>{dy.data + of.group, dy.stride, groups}
                    : cpu::plain(of.outputs(dy));
        accumulateTiles(dx_g, dy_g, w_g);
        accumulateTiles(dw_g, {dy_g.data, dy_g.col_stride, dy_g.row_stride}, x_g);
      } else {
        if (dx_g) map(clearIfFresh(dx_g)).noalias() += map(of.outputs(dy)) * map(w_g);
        if (dw_g) map(clearIfFresh(dw_g)).noalias() += map(of.outputs(dy)).transpose() * map(x_g);
      }
    });
    if (!db) return;
    if (!strided) return addRows<Real>(clearIfFresh(db), dy);
    const std::int64_t each = dy.cols / groups;
    std::fill_n(sums, dy.cols, Real(0));
    addRows<Real>({sums, 1, dy.cols}, dy);
    transpose<Real, true>({clearIfFresh(db).data, groups, each}, {sums, each, groups});
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return c.out(0).rows * (2 * c.in(1).size() + c.in(2).cols);
  }

 private:
  template <class Real, class Work>
  static void overGroups(const OpCall<Real>& c, const Work& work) {
    const std::int64_t groups = c.template get<GroupedLinearArguments>().groups;
    for (std::int64_t g = 0; g < groups; ++g)
      work(GroupViews{g, c.in(1).cols, c.in(1).rows / groups});
  }
};

Op groupedLinearOp() {
  return makeOp<GroupedLinearKernels>("grouped linear",
                                      "y = [x_1 W_1^T | x_2 W_2^T | ...] + b, then shuffled");
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
    cpu::onChosenTarget([] { return HWY_DYNAMIC_DISPATCH(groupedLinearOp)(); }));

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

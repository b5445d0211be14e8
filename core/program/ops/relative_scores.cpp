// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#define HWY_TARGET_INCLUDE "core/program/ops/relative_scores.cpp"
#include <hwy/foreach_target.h>  // comes before highway.h

#include "core/backend/cpu/scratch.h"
#include "core/backend/cpu/target.h"
#include "core/backend/cpu/tile_product.h"
#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"
#include "core/tensor/eigen_map.h"
#include "core/tensor/portable_math.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::ops::HWY_NAMESPACE {
namespace {

using namespace cpu::HWY_NAMESPACE;

/// One query of one head in all sequences, which meet the same rows of the table: a product of
/// matrices, while a sequence by itself would have one of a vector for each query.
struct QueryViews {
  const RelativeArguments& a;
  std::int64_t first_key, head, query;

  std::int64_t keys() const { return a.shape.keys - first_key; }

  /// sequences x key size, of what has heads * key size columns.
  template <class Any>
  MatrixView<Any> queries(MatrixView<Any> m) const {
    const AttentionShape& s = a.shape;
    return {m.row(query) + head * s.key_size, s.batch, s.key_size, m.stride * s.queries};
  }
  /// sequences x keys
  template <class Any>
  MatrixView<Any> scores(MatrixView<Any> m) const {
    const AttentionShape& s = a.shape;
    return {m.row(head * s.queries + query) + first_key, s.batch, keys(),
            m.stride * s.heads * s.queries};
  }
  /// keys x key size, of the table of distances.
  template <class Any>
  MatrixView<Any> distances(MatrixView<Any> m) const {
    return m.rowsFrom(a.rowOf(query, first_key), keys())
        .colsFrom(head * a.shape.key_size, a.shape.key_size);
  }
};

struct RelativeScoresKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto q = c.in(0), r = c.in(1);
    const auto y = c.out(0);
    const auto [memory] = cpu::scratch<Real>(r.cols * padded<Real>(r.rows));
    const MatrixView<Real> r_transposed(memory, r.cols, padded<Real>(r.rows));
    transpose(r_transposed, r);
    const auto& a = c.template get<RelativeArguments>();
    // All keys at first, since rows of whole registers are quicker than rows without the first.
    overQueries(c, 0, [&](const QueryViews& of) {
      const auto distances = r_transposed.rowsFrom(of.head * a.shape.key_size, a.shape.key_size)
                                 .colsFrom(a.rowOf(of.query, 0), of.keys());
      tileProduct<Real>(of.scores(y), cpu::plain(of.queries(q)), distances);
    });
    if (!a.separate_cls) return;
    map(y).col(0).setZero();
    for (std::int64_t row = 0; row < y.rows; row += a.shape.queries) map(y).row(row).setZero();
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    // y_ij = q_i . r_t, t the row of (i, j):  dq_i = sum_j dy_ij r_t,  dr_t += sum of dy_ij q_i
    const auto q = c.in(0), r = c.in(1), dy = c.dout(0);
    const auto dq = c.din(0);
    const auto dr = clearIfFresh(c.din(1));
    const auto& a = c.template get<RelativeArguments>();
    if (dq.fresh && a.separate_cls)
      for (std::int64_t row = 0; row < q.rows; row += a.shape.queries)
        map(dq.sum).row(row).setZero();
    overQueries(c, a.separate_cls ? 1 : 0, [&](const QueryViews& of) {
      const auto dscores = of.scores(dy);
      if (dq)
        accumulateTiles<Real>({of.queries(dq.sum), dq.fresh}, cpu::plain(dscores), of.distances(r));
      if (dr) addTileProduct<Real>(of.distances(dr), cpu::transposed(dscores), of.queries(q));
    });
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    const auto& [s, ratio, cls] = c.template get<RelativeArguments>();
    const std::int64_t cells = (s.queries - (cls ? 1 : 0)) * (s.keys - (cls ? 1 : 0));
    return s.batch * s.heads * cells * 2 * s.key_size;
  }

 private:
  template <class Real, class Work>
  static void overQueries(const OpCall<Real>& c, std::int64_t first_key, const Work& work) {
    const auto& a = c.template get<RelativeArguments>();
    for (std::int64_t head = 0; head < a.shape.heads; ++head)
      for (std::int64_t query = a.separate_cls ? 1 : 0; query < a.shape.queries; ++query)
        work(QueryViews{a, first_key, head, query});
  }
};

Op relativeScoresOp() {
  return makeOp<RelativeScoresKernels>("relative scores",
                                       "y[i, j] = q[i] . r[distance of i from j]; 0 for [CLS]");
}

}  // namespace
}  // namespace tfm::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tfm::ops {

HWY_EXPORT(relativeScoresOp);
namespace {

using namespace explain;

struct RelativeScoresExplained {
  static constexpr std::string_view kOutputs = "y", kInputs = "q r";
  static std::string sentence(const StepReader& s) {
    return "Each query is compared with what stands for its distance from each key: " +
           numbers(s.out().rows * s.out().cols) + " to add to the scores";
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const auto& a = c.template get<RelativeArguments>();
    const AttentionShape& s = a.shape;
    const std::int64_t alone = a.separate_cls ? 1 : 0;
    if (!of.gradient) {
      Explanation e{"y[i, j] = sum_k q[i, k] r[distance of i and j, k], 0 for [CLS]"};
      const std::int64_t query = of.row % s.queries, head = of.row / s.queries % s.heads;
      const std::int64_t row = of.row / (s.heads * s.queries) * s.queries + query;
      if (query >= alone && of.col >= alone)
        for (std::int64_t k = head * s.key_size; k < (head + 1) * s.key_size; ++k)
          product(e, c, 1, {in(0, row, k), in(1, a.rowOf(query, of.col), k)});
      return e;
    }
    const std::int64_t head = of.col / s.key_size;
    const auto scoreOf = [&](std::int64_t batch, std::int64_t query, std::int64_t key) {
      return d(out(0, (batch * s.heads + head) * s.queries + query, key));
    };
    if (of.index == 0) {
      Explanation e{"dq[i, k] = sum_j dy[i, j] r[distance of i and j, k]"};
      const std::int64_t query = of.row % s.queries;
      for (std::int64_t j = alone; j < s.keys && query >= alone; ++j)
        product(e, c, 1, {scoreOf(of.row / s.queries, query, j), in(1, a.rowOf(query, j), of.col)});
      return e;
    }
    Explanation e{"dr[t, k] = sum of dy[i, j] q[i, k] where i and j are at distance t"};
    for (std::int64_t b = 0; b < s.batch; ++b)
      for (std::int64_t i = alone; i < s.queries; ++i)
        for (std::int64_t j = alone; j < s.keys; ++j)
          if (a.rowOf(i, j) == of.row)
            product(e, c, 1, {scoreOf(b, i, j), in(0, b * s.queries + i, of.col)});
    return e;
  }
};

}  // namespace

// The second part of q_i . k_j + (q_i + u) . W R_{i - j} (Dai et al. 2020, appendix A.2.1,
// "relative shift"; "factorized", A.2.2, gives the same numbers). Only distances that occur are
// multiplied, so that nothing is shifted.
const Op kRelativeScores = explained<RelativeScoresExplained>(
    cpu::onTargets([](KernelSet) { return HWY_DYNAMIC_DISPATCH(relativeScoresOp)(); }));

TensorId relativeScores(ProgramBuilder& b, const std::string& path, TensorId q, TensorId distances,
                        const RelativeArguments& a) {
  const AttentionShape& s = a.shape;
  check(!s.causal && a.ratio >= 1, "relative scores: not causal, and `ratio` keys for each query");
  check(b.tensor(q).rows == s.batch * s.queries && b.tensor(q).cols == s.heads * s.key_size,
        "relative scores: a row for each query, heads * key size columns");
  check(b.tensor(distances).rows == a.distances() && b.tensor(distances).cols == b.tensor(q).cols,
        "relative scores: a row for each distance of a query from a key");
  const TensorId y = b.activation(path, s.batch * s.heads * s.queries, s.keys);
  b.append({&kRelativeScores, path, {q, distances}, {y}, a});
  return y;
}

std::vector<double> distanceTable(const RelativeArguments& a, std::int64_t key_stride,
                                  std::int64_t width, std::int64_t base) {
  check(base % 2 == 0 && base <= width, "distances: pairs of columns inside the width");
  std::vector<double> table(std::size_t(a.distances() * width), 0.0);
  for (std::int64_t row = 0; row < a.distances(); ++row)
    for (std::int64_t j = 0; j < base / 2; ++j) {
      const double angle = double(a.distance(row) * key_stride) /
                           portable::pow(10000.0, double(j) / double(base / 2));
      table[std::size_t(row * width + j)] = portable::sin(angle);
      table[std::size_t(row * width + base / 2 + j)] = portable::cos(angle);
    }
  return table;
}

}  // namespace tfm::ops
#endif

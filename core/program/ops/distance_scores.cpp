// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdlib>

#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"
#include "core/tensor/portable_math.h"

namespace tfm::ops {
namespace {

/// The place of a query: its own, or the one that is given.
template <class Real>
std::int64_t placeOf(const OpCall<Real>& c, std::int64_t sequence, std::int64_t query) {
  const auto places = c.ids(1);
  const AttentionShape& s = c.template get<RelativeArguments>().shape;
  return places.empty() ? query : places[std::size_t(sequence * s.queries + query)];
}

/// The row of the table for a place and the first key.
template <class Real>
std::int64_t firstRow(const OpCall<Real>& c, std::int64_t place) {
  const RelativeArguments& a = c.template get<RelativeArguments>();
  return c.ids(1).empty() ? a.rowOf(place, 0) : a.shape.keys - 1 - place;
}

/// Calls visit(row of scores, head, row of the table for the first key) for every query.
template <class Real, class Visit>
void overQueries(const OpCall<Real>& c, const Visit& visit) {
  const AttentionShape& s = c.template get<RelativeArguments>().shape;
  for (std::int64_t b = 0; b < s.batch; ++b)
    for (std::int64_t head = 0; head < s.heads; ++head)
      for (std::int64_t query = 0; query < s.queries; ++query)
        visit((b * s.heads + head) * s.queries + query, head, firstRow(c, placeOf(c, b, query)));
}

struct DistanceScoresKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto t = c.in(0);
    const auto y = c.out(0);
    overQueries(c, [&](std::int64_t row, std::int64_t head, std::int64_t first) {
      for (std::int64_t j = 0; j < y.cols; ++j) y.at(row, j) = t.at(first + j, head);
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const auto dt = clearIfFresh(c.din(0));
    if (!dt) return;
    const auto dy = c.dout(0);
    overQueries(c, [&](std::int64_t row, std::int64_t head, std::int64_t first) {
      for (std::int64_t j = 0; j < dy.cols; ++j) dt.at(first + j, head) += dy.at(row, j);
    });
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>&) {
    return 0;
  }
};

using namespace explain;

struct DistanceScoresExplained {
  static constexpr std::string_view kOutputs = "y", kInputs = "t places";
  static std::string sentence(const StepReader& s) {
    return "Each head adds to a score what belongs to the distance of its query and key: " +
           numbers(s.out().rows * s.out().cols);
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const AttentionShape& s = c.template get<RelativeArguments>().shape;
    const auto firstOf = [&](std::int64_t row) {
      return firstRow(c, placeOf(c, row / (s.heads * s.queries), row % s.queries));
    };
    if (!of.gradient) {
      Explanation e{"y[i, j] = t[distance of i and j, head]"};
      product(e, c, 1, {in(0, firstOf(of.row) + of.col, of.row / s.queries % s.heads)});
      return e;
    }
    Explanation e{"dt[r, head] = sum of dy[i, j] where i and j are at distance r"};
    for (std::int64_t row = 0; row < s.batch * s.heads * s.queries; ++row) {
      const std::int64_t key = of.row - firstOf(row);
      if (row / s.queries % s.heads == of.col && key >= 0 && key < s.keys)
        product(e, c, 1, {d(out(0, row, key))});
    }
    return e;
  }
};

}  // namespace

const Op kDistanceScores = explained<DistanceScoresExplained>(
    makeOp<DistanceScoresKernels>("distance scores", "y[i, j] = t[distance of i from j, head]"));

TensorId distanceScores(ProgramBuilder& b, const std::string& path, TensorId distances,
                        const RelativeArguments& a, TensorId places) {
  const AttentionShape& s = a.shape;
  check(a.ratio == 1 && !a.separate_cls, "distance scores: of positions that are not pooled");
  check(b.tensor(distances).cols == s.heads &&
            b.tensor(distances).rows == (places == kNoTensor ? a.distances() : 2 * s.keys - 1),
        "distance scores: a row for each distance of a query from a key, a column for each head");
  check(places == kNoTensor || b.tensor(places).rows == s.batch * s.queries,
        "distance scores: a place for each query");
  const TensorId y = b.activation(path, s.batch * s.heads * s.queries, s.keys);
  b.append({&kDistanceScores, path, {distances, places}, {y}, a});
  return y;
}

std::vector<double> distanceBuckets(const DistanceBuckets& a, std::int64_t queries,
                                    std::int64_t keys, double scale) {
  const std::int64_t rows = queries - 1 + keys;
  std::vector<double> chosen(std::size_t(rows * a.buckets), 0.0);
  for (std::int64_t row = 0; row < rows; ++row)
    chosen[std::size_t(row * a.buckets + a.of(row - (queries - 1)))] = scale;
  return chosen;
}

std::int64_t DistanceBuckets::of(std::int64_t to_right) const {
  const std::int64_t side = both_sides ? buckets / 2 : buckets;
  const std::int64_t first = both_sides && to_right > 0 ? side : 0;
  const std::int64_t distance =
      both_sides ? std::abs(to_right) : std::max<std::int64_t>(0, -to_right);
  const std::int64_t exact = side / 2;
  if (distance < exact) return first + distance;
  const double share = portable::log(double(distance) / double(exact)) /
                       portable::log(double(furthest) / double(exact));
  // What rounding leaves below a whole number belongs to it.
  const auto beyond = std::int64_t(share * double(side - exact) + 1e-9);
  return first + std::min(side - 1, exact + beyond);
}

}  // namespace tfm::ops

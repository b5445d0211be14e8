// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"
#include "core/tensor/eigen_map.h"

namespace tfm::ops {
namespace {

// Positions of the step's inputs.
enum Input : std::size_t { kScores, kQuery, kEmbedding, kQuerySegments, kKeySegments };

struct SegmentScoresKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto q = c.in(kQuery), e = c.in(kEmbedding), scores = c.in(kScores);
    const auto y = c.out(0);
    map(y) = map(scores);
    overQueries(c, [&](const Place& at) {
      const auto query = map(q.colsFrom(at.column, at.size)).row(at.query);
      const auto embedding = map(e.colsFrom(at.column, at.size));
      const Real other = query.dot(embedding.row(0)), same = query.dot(embedding.row(1));
      overKeys(c, at, [&](std::int64_t key, bool is_same) {
        y.at(at.row, key) += is_same ? same : other;
      });
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    // y_ij = scores_ij + q_i . e_s, s = 1 in the same segment, else 0:
    // dscores = dy,  dq_i = sum_j dy_ij e_s,  de_s = sum of dy_ij q_i
    const auto q = c.in(kQuery), e = c.in(kEmbedding), dy = c.dout(0);
    const auto dscores = clearIfFresh(c.din(kScores)), dq = clearIfFresh(c.din(kQuery)),
               de = clearIfFresh(c.din(kEmbedding));
    if (dscores) map(dscores) += map(dy);
    if (!dq && !de) return;
    overQueries(c, [&](const Place& at) {
      Real other = 0, same = 0;
      overKeys(c, at, [&](std::int64_t key, bool is_same) {
        (is_same ? same : other) += dy.at(at.row, key);
      });
      for (const auto& [row, sum] : {std::pair{0, other}, {1, same}}) {
        if (dq)
          map(dq.colsFrom(at.column, at.size)).row(at.query) +=
              sum * map(e.colsFrom(at.column, at.size)).row(row);
        if (de)
          map(de.colsFrom(at.column, at.size)).row(row) +=
              sum * map(q.colsFrom(at.column, at.size)).row(at.query);
      }
    });
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return 4 * c.in(kQuery).size() + c.out(0).size();
  }

 private:
  /// A query of a head: where its scores are, and where its numbers.
  struct Place {
    std::int64_t row, query, column, size;
    std::int64_t first_key;  ///< of its sequence
  };

  template <class Real, class Work>
  static void overQueries(const OpCall<Real>& c, const Work& work) {
    const auto& [s, separate_cls] = c.template get<SegmentArguments>();
    for (std::int64_t b = 0; b < s.batch; ++b)
      for (std::int64_t h = 0; h < s.heads; ++h)
        for (std::int64_t i = separate_cls ? 1 : 0; i < s.queries; ++i)
          work({(b * s.heads + h) * s.queries + i, b * s.queries + i, h * s.key_size, s.key_size,
                b * s.keys});
  }
  /// Calls work(key, whether it is in the query's segment).
  template <class Real, class Work>
  static void overKeys(const OpCall<Real>& c, const Place& at, const Work& work) {
    const auto& [s, separate_cls] = c.template get<SegmentArguments>();
    const auto of_queries = c.ids(kQuerySegments), of_keys = c.ids(kKeySegments);
    for (std::int64_t j = separate_cls ? 1 : 0; j < s.keys; ++j) {
      if (of_keys.empty()) {
        work(j, true);
        continue;
      }
      const std::int32_t own = of_queries[std::size_t(at.query)];
      const std::int32_t other = of_keys[std::size_t(at.first_key + j)];
      work(j, own == other || own == kClsSegment || other == kClsSegment);
    }
  }
};

using namespace explain;

struct SegmentScoresExplained {
  static constexpr std::string_view kOutputs = "y", kInputs = "scores q e";
  static std::string sentence(const StepReader& s) {
    return "Each query is compared with what stands for being in the same text as a key, or in "
           "another: added to " +
           counted(s.out().rows * s.out().cols, "score");
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const auto& [s, separate_cls] = c.template get<SegmentArguments>();
    const std::int64_t alone = separate_cls ? 1 : 0;
    const auto segments = [&](std::int64_t batch, std::int64_t query, std::int64_t key) {
      std::vector<StepNumber> read;
      if (!c.ids(kKeySegments).empty())
        read = {in(kQuerySegments, batch * s.queries + query, 0),
                in(kKeySegments, batch * s.keys + key, 0)};
      return read;
    };
    // Whether they are the same, as a row of the embedding.
    const auto same = [&](const std::vector<StepNumber>& read) -> std::int64_t {
      if (read.empty()) return 1;
      const double own = numberIn(c, read[0]), other = numberIn(c, read[1]);
      return own == other || own == kClsSegment || other == kClsSegment ? 1 : 0;
    };
    const auto add = [&](Explanation& e, const StepNumber& a, const StepNumber& b,
                         const std::vector<StepNumber>& read) {
      product(e, c, 1, {a, b}, read);
    };
    if (!of.gradient) {
      Explanation e{"y[i, j] = scores[i, j] + sum_k q[i, k] e[same segment, k]"};
      product(e, c, 1, {in(kScores, of.row, of.col)});
      const std::int64_t query = of.row % s.queries, head = of.row / s.queries % s.heads;
      const std::int64_t batch = of.row / (s.heads * s.queries);
      if (query < alone || of.col < alone) return e;
      const auto read = segments(batch, query, of.col);
      for (std::int64_t k = head * s.key_size; k < (head + 1) * s.key_size; ++k)
        add(e, in(kQuery, batch * s.queries + query, k), in(kEmbedding, same(read), k), read);
      return e;
    }
    if (of.index == kScores) {
      Explanation e{"dscores[i, j] = dy[i, j]"};
      product(e, c, 1, {d(out(0, of.row, of.col))});
      return e;
    }
    const std::int64_t head = of.col / s.key_size;
    const bool query_wanted = of.index == kQuery;
    Explanation e{query_wanted ? "dq[i, k] = sum_j dy[i, j] e[same segment, k]"
                               : "de[s, k] = sum of dy[i, j] q[i, k] where s is same segment"};
    for (std::int64_t b = 0; b < s.batch; ++b)
      for (std::int64_t i = alone; i < s.queries; ++i) {
        if (query_wanted && b * s.queries + i != of.row) continue;
        for (std::int64_t j = alone; j < s.keys; ++j) {
          const auto read = segments(b, i, j);
          const StepNumber dy = d(out(0, (b * s.heads + head) * s.queries + i, j));
          if (query_wanted)
            add(e, dy, in(kEmbedding, same(read), of.col), read);
          else if (same(read) == of.row)
            add(e, dy, in(kQuery, b * s.queries + i, of.col), read);
        }
      }
    return e;
  }
};

}  // namespace

// Dai et al. 2020, official code: how much a query looks into its own segment and into the other.
const Op kSegmentScores = explained<SegmentScoresExplained>(makeOp<SegmentScoresKernels>(
    "segment scores", "y[i, j] = scores[i, j] + q[i] . e[same segment]; scores alone for [CLS]"));

TensorId segmentScores(ProgramBuilder& b, const std::string& path, TensorId scores, TensorId q,
                       TensorId embedding, TensorId query_segments, TensorId key_segments,
                       const SegmentArguments& a) {
  const AttentionShape& s = a.shape;
  check(b.tensor(scores).rows == s.batch * s.heads * s.queries && b.tensor(scores).cols == s.keys,
        "segment scores: one score a query and key of every head");
  check(b.tensor(q).rows == s.batch * s.queries && b.tensor(q).cols == s.heads * s.key_size &&
            b.tensor(embedding).rows == 2 && b.tensor(embedding).cols == b.tensor(q).cols,
        "segment scores: heads * key size columns; other and same segment");
  check((query_segments == kNoTensor) == (key_segments == kNoTensor) &&
            (key_segments == kNoTensor || (b.tensor(query_segments).rows == s.batch * s.queries &&
                                           b.tensor(key_segments).rows == s.batch * s.keys)),
        "segment scores: the segment of every query and key, or of none");
  const TensorId y = b.activation(path, b.tensor(scores).rows, s.keys);
  b.append({&kSegmentScores, path, {scores, q, embedding, query_segments, key_segments}, {y}, a});
  return y;
}

}  // namespace tfm::ops

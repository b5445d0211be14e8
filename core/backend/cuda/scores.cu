// SPDX-License-Identifier: GPL-3.0-or-later
// What is added to the scores of an attention.
#include "core/backend/cuda/device_op.h"
#include "core/backend/cuda/launch.h"

namespace tfm::cuda {
namespace {

/// A cell of a score matrix: the sequence, head and query of its row.
struct Place {
  std::int64_t sequence, head, query;
};
__device__ inline Place placeOf(const AttentionShape& s, std::int64_t row) {
  return {row / (s.heads * s.queries), row / s.queries % s.heads, row % s.queries};
}
__device__ inline std::int64_t rowOf(const AttentionShape& s, const Place& at) {
  return (at.sequence * s.heads + at.head) * s.queries + at.query;
}

struct RelativeScoresKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const RelativeArguments a = c.template get<RelativeArguments>();
    const std::int64_t first = a.separate_cls ? 1 : 0;  // [CLS] has no scores
    const Matrix<const Real> q = c.in(0), distances = c.in(1);
    const Matrix<Real> y = c.out(0);
    overCells(y.rows, y.cols, [=] __device__(std::int64_t row, std::int64_t j) {
      const AttentionShape& s = a.shape;
      const Place at = placeOf(s, row);
      Real sum = 0;
      if (at.query >= first && j >= first)
        for (std::int64_t i = at.head * s.key_size; i < (at.head + 1) * s.key_size; ++i)
          sum +=
              q.at(at.sequence * s.queries + at.query, i) * distances.at(a.rowOf(at.query, j), i);
      y.at(row, j) = sum;
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    // y_ij = q_i . r_t, t the row of (i, j):  dq_i = sum_j dy_ij r_t,  dr_t = sum of dy_ij q_i
    const RelativeArguments a = c.template get<RelativeArguments>();
    const std::int64_t first = a.separate_cls ? 1 : 0;
    const Matrix<const Real> q = c.in(0), distances = c.in(1), dy = c.dout(0);
    const Sum<Real> dq = c.din(0), ddistances = c.din(1);
    if (dq)
      overCells(q.rows, q.cols, [=] __device__(std::int64_t r, std::int64_t col) {
        const AttentionShape& s = a.shape;
        const Place at{r / s.queries, col / s.key_size, r % s.queries};
        Real sum = 0;
        for (std::int64_t j = first; at.query >= first && j < s.keys; ++j)
          sum += dy.at(rowOf(s, at), j) * distances.at(a.rowOf(at.query, j), col);
        dq.add(r, col, sum);
      });
    if (ddistances)
      overCells(distances.rows, distances.cols, [=] __device__(std::int64_t t, std::int64_t col) {
        const AttentionShape& s = a.shape;
        Real sum = 0;
        for (std::int64_t i = first; i < s.queries; ++i) {
          const std::int64_t key = t - a.rowOf(i, 0);
          if (key < first || key >= s.keys) continue;
          for (std::int64_t b = 0; b < s.batch; ++b)
            sum += dy.at(rowOf(s, {b, col / s.key_size, i}), key) * q.at(b * s.queries + i, col);
        }
        ddistances.add(t, col, sum);
      });
  }
};

struct DistanceScoresKernels {
  /// The row of the table for a row of scores and the first key.
  static __device__ std::int64_t firstRow(const RelativeArguments& a, const Ids& places,
                                          const Place& at) {
    if (!places) return a.rowOf(at.query, 0);
    return a.shape.keys - 1 - places.at(at.sequence * a.shape.queries + at.query);
  }
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const RelativeArguments a = c.template get<RelativeArguments>();
    const Matrix<const Real> distances = c.in(0);
    const Ids places = c.ids(1);
    const Matrix<Real> y = c.out(0);
    overCells(y.rows, y.cols, [=] __device__(std::int64_t row, std::int64_t j) {
      const Place at = placeOf(a.shape, row);
      y.at(row, j) = distances.at(firstRow(a, places, at) + j, at.head);
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const RelativeArguments a = c.template get<RelativeArguments>();
    const Matrix<const Real> dy = c.dout(0);
    const Sum<Real> ddistances = c.din(0);
    const Ids places = c.ids(1);
    if (!ddistances) return;
    overCells(c.in(0).rows, c.in(0).cols, [=] __device__(std::int64_t t, std::int64_t head) {
      const AttentionShape& s = a.shape;
      Real sum = 0;
      for (std::int64_t b = 0; b < s.batch; ++b)
        for (std::int64_t i = 0; i < s.queries; ++i) {
          const Place at{b, head, i};
          const std::int64_t key = t - firstRow(a, places, at);
          if (key >= 0 && key < s.keys) sum += dy.at(rowOf(s, at), key);
        }
      ddistances.add(t, head, sum);
    });
  }
};

/// The segments of queries and keys; all in one if they are empty.
struct Segments {
  SegmentArguments a;
  Ids of_queries, of_keys;

  template <class Real>
  explicit Segments(const OpCall<Real>& c)
      : a(c.template get<SegmentArguments>()), of_queries(c.ids(3)), of_keys(c.ids(4)) {}

  /// Of queries and keys that have such scores; [CLS] has none.
  __host__ __device__ std::int64_t first() const { return a.separate_cls ? 1 : 0; }
  /// The row of the embedding: 1 in the same segment, else 0.
  __device__ std::int64_t same(const Place& at, std::int64_t key) const {
    if (!of_keys) return 1;
    const std::int32_t own = of_queries.at(at.sequence * a.shape.queries + at.query);
    const std::int32_t other = of_keys.at(at.sequence * a.shape.keys + key);
    return own == other || own == kClsSegment || other == kClsSegment ? 1 : 0;
  }
};

struct SegmentScoresKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Segments segments(c);
    const Matrix<const Real> scores = c.in(0), q = c.in(1), embedding = c.in(2);
    const Matrix<Real> y = c.out(0);
    overCells(y.rows, y.cols, [=] __device__(std::int64_t row, std::int64_t j) {
      const AttentionShape& s = segments.a.shape;
      const Place at = placeOf(s, row);
      Real sum = 0;
      if (at.query >= segments.first() && j >= segments.first())
        for (std::int64_t i = at.head * s.key_size; i < (at.head + 1) * s.key_size; ++i)
          sum +=
              q.at(at.sequence * s.queries + at.query, i) * embedding.at(segments.same(at, j), i);
      y.at(row, j) = scores.at(row, j) + sum;
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    // dscores = dy,  dq_i = sum_j dy_ij e_s,  de_s = sum of dy_ij q_i
    const Segments segments(c);
    const Matrix<const Real> q = c.in(1), embedding = c.in(2), dy = c.dout(0);
    const Sum<Real> dscores = c.din(0), dq = c.din(1), dembedding = c.din(2);
    if (dscores)
      overCells(dy.rows, dy.cols, [=] __device__(std::int64_t row, std::int64_t j) {
        dscores.add(row, j, dy.at(row, j));
      });
    if (dq)
      overCells(q.rows, q.cols, [=] __device__(std::int64_t r, std::int64_t col) {
        const AttentionShape& s = segments.a.shape;
        const Place at{r / s.queries, col / s.key_size, r % s.queries};
        Real sum = 0;
        for (std::int64_t j = segments.first(); at.query >= segments.first() && j < s.keys; ++j)
          sum += dy.at(rowOf(s, at), j) * embedding.at(segments.same(at, j), col);
        dq.add(r, col, sum);
      });
    if (!dembedding) return;
    const std::int64_t cols = embedding.cols;
    overSums<Real>(
        2 * cols, q.rows,
        [=] __device__(std::int64_t entry, std::int64_t r) {
          const AttentionShape& s = segments.a.shape;
          const std::int64_t col = entry % cols;
          const Place at{r / s.queries, col / s.key_size, r % s.queries};
          Real sum = 0;
          for (std::int64_t j = segments.first(); at.query >= segments.first() && j < s.keys; ++j)
            if (segments.same(at, j) == entry / cols) sum += dy.at(rowOf(s, at), j);
          return sum * q.at(r, col);
        },
        [=] __device__(std::int64_t entry, Real sum) {
          dembedding.add(entry / cols, entry % cols, sum);
        });
  }
};

}  // namespace

const DeviceOp kRelativeScores = deviceOp<RelativeScoresKernels>("relative scores");
const DeviceOp kDistanceScores = deviceOp<DistanceScoresKernels>("distance scores");
const DeviceOp kSegmentScores = deviceOp<SegmentScoresKernels>("segment scores");

}  // namespace tfm::cuda

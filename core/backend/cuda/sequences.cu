// SPDX-License-Identifier: GPL-3.0-or-later
// Ops that choose, pool or repeat rows.
#include <algorithm>

#include "core/backend/cuda/device_op.h"
#include "core/backend/cuda/launch.h"

namespace tfm::cuda {
namespace {

struct EmbeddingKernels {
  /// A token outside the vocabulary gives NaN: a kernel cannot throw.
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Ids ids = c.ids(0);
    const Matrix<const Real> table = c.in(1);
    const Matrix<Real> y = c.out(0);
    const Real scale = Real(c.template get<EmbeddingArguments>().scale);
    overCells(y.rows, y.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      const std::int64_t id = ids.at(r);
      y.at(r, j) = id >= 0 && id < table.rows ? table.at(id, j) * scale
                                              : std::numeric_limits<Real>::quiet_NaN();
    });
  }
  /// A thread for each column, as rows of the same token are added one after the other.
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const Ids ids = c.ids(0);
    const Matrix<const Real> dy = c.dout(0);
    const Sum<Real> sum = c.din(1);
    if (!sum) return;
    const Matrix<Real> dtable = cleared(sum);
    const Real scale = Real(c.template get<EmbeddingArguments>().scale);
    overCells(1, dy.cols, [=] __device__(std::int64_t, std::int64_t j) {
      for (std::int64_t r = 0; r < dy.rows; ++r) {
        const std::int64_t id = ids.at(r);
        if (id >= 0 && id < dtable.rows) dtable.at(id, j) += dy.at(r, j) * scale;
      }
    });
  }
};

struct AddPositionsKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Matrix<const Real> x = c.in(0), positions = c.in(1);
    const Matrix<Real> y = c.out(0);
    const std::int64_t length = c.template get<SequenceArguments>().length;
    overCells(y.rows, y.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      y.at(r, j) = x.at(r, j) + positions.at(r % length, j);
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const Matrix<const Real> dy = c.dout(0);
    const Sum<Real> dx = c.din(0), dpositions = c.din(1);
    const std::int64_t length = c.template get<SequenceArguments>().length;
    if (dx)
      overCells(dy.rows, dy.cols,
                [=] __device__(std::int64_t r, std::int64_t j) { dx.add(r, j, dy.at(r, j)); });
    if (!dpositions) return;
    const Matrix<Real> sums = dpositions.cells;
    overCells(sums.rows, sums.cols, [=] __device__(std::int64_t t, std::int64_t j) {
      Real sum = 0;
      for (std::int64_t r = t; t < length && r < dy.rows; r += length) sum += dy.at(r, j);
      dpositions.add(t, j, sum);
    });
  }
};

struct AffineKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Matrix<const Real> x = c.in(0), factor = c.in(1), added = c.in(2);
    const Matrix<Real> y = c.out(0);
    overCells(y.rows, y.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      const std::int64_t t = r % factor.rows;
      const Real m = factor.at(t, j);
      y.at(r, j) = m == Real(0) ? added.at(t, j) : m * x.at(r, j) + added.at(t, j);
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const Matrix<const Real> x = c.in(0), factor = c.in(1), dy = c.dout(0);
    const Sum<Real> dx = c.din(0), dfactor = c.din(1), dadded = c.din(2);
    if (dx)
      overCells(dy.rows, dy.cols, [=] __device__(std::int64_t r, std::int64_t j) {
        dx.add(r, j, factor.at(r % factor.rows, j) * dy.at(r, j));
      });
    if (!dfactor && !dadded) return;
    overCells(factor.rows, factor.cols, [=] __device__(std::int64_t t, std::int64_t j) {
      Real of_factor = 0, of_added = 0;
      for (std::int64_t r = t; r < dy.rows; r += factor.rows) {
        of_factor += x.at(r, j) * dy.at(r, j);
        of_added += dy.at(r, j);
      }
      if (dfactor) dfactor.add(t, j, of_factor);
      if (dadded) dadded.add(t, j, of_added);
    });
  }
};

/// 1 / real rows of a sequence, or 1 if there are none.
template <class Real>
__device__ Real shareOf(const Ids& pad, std::int64_t sequence, std::int64_t length) {
  std::int64_t real = 0;
  for (std::int64_t r = sequence * length; r < (sequence + 1) * length; ++r)
    real += pad.at(r) == 0 ? 1 : 0;
  return Real(1) / Real(real > 0 ? real : 1);
}

struct MeanPoolKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Matrix<const Real> x = c.in(0);
    const Ids pad = c.ids(1);
    const Matrix<Real> y = c.out(0);
    const std::int64_t length = c.template get<SequenceArguments>().length;
    overCells(y.rows, y.cols, [=] __device__(std::int64_t s, std::int64_t j) {
      const Real share = shareOf<Real>(pad, s, length);
      Real sum = 0;
      for (std::int64_t r = s * length; r < (s + 1) * length; ++r)
        if (pad.at(r) == 0) sum += x.at(r, j) * share;
      y.at(s, j) = sum;
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const Matrix<const Real> dy = c.dout(0);
    const Ids pad = c.ids(1);
    const Sum<Real> dx = c.din(0);
    const std::int64_t length = c.template get<SequenceArguments>().length;
    if (!dx) return;
    overCells(dx.cells.rows, dx.cells.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      const std::int64_t s = r / length;
      dx.add(r, j, pad.at(r) == 0 ? dy.at(s, j) * shareOf<Real>(pad, s, length) : Real(0));
    });
  }
};

/// The rows that a pooled row holds.
struct Window {
  std::int64_t first, count;
};
__device__ inline Window windowOf(const SequencePooling& sequence, std::int64_t row) {
  const std::int64_t pooled = sequence.pooledLength(), own = row % pooled;
  return {row / pooled * sequence.length + sequence.first(own), sequence.count(own)};
}

/// Of equals the first wins; what is not a number wins over any number.
template <class Real>
__device__ bool secondWins(Real first, Real second) {
  return first < second || std::isnan(second);
}

struct SequencePoolKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const SequencePoolArguments a = c.template get<SequencePoolArguments>();
    const Matrix<const Real> x = c.in(0);
    const Matrix<Real> y = c.out(0);
    overCells(y.rows, y.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      const Window rows = windowOf(a.sequence, r);
      Real value = x.at(rows.first, j);
      if (rows.count == 2) {
        const Real second = x.at(rows.first + 1, j);
        if (a.kind == Pooling::Mean)
          value = Real(0.5) * (value + second);
        else if (secondWins(value, second))
          value = second;
      }
      y.at(r, j) = value;
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const SequencePoolArguments a = c.template get<SequencePoolArguments>();
    const Matrix<const Real> x = c.in(0), dy = c.dout(0);
    const Sum<Real> sum = c.din(0);
    if (!sum) return;
    const Matrix<Real> dx = cleared(sum);  // a row may be in no window, and in no second one
    overCells(dy.rows, dy.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      const Window rows = windowOf(a.sequence, r);
      if (rows.count == 1) {
        dx.at(rows.first, j) += dy.at(r, j);
      } else if (a.kind == Pooling::Mean) {
        dx.at(rows.first, j) += Real(0.5) * dy.at(r, j);
        dx.at(rows.first + 1, j) += Real(0.5) * dy.at(r, j);
      } else {
        const bool second = secondWins(x.at(rows.first, j), x.at(rows.first + 1, j));
        dx.at(rows.first + (second ? 1 : 0), j) += dy.at(r, j);
      }
    });
  }
};

struct PoolIdsKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const IdPoolArguments a = c.template get<IdPoolArguments>();
    const Ids ids = c.ids(0);
    const List<std::int32_t> y = c.indices;
    overCells(y.size, 1, [=] __device__(std::int64_t r, std::int64_t) {
      const Window rows = windowOf(a.sequence, r);
      std::int32_t value = ids.at(rows.first);
      if (rows.count == 2 && a.kind != IdPooling::First) {
        const std::int32_t second = ids.at(rows.first + 1);
        value = (a.kind == IdPooling::Max) == (value < second) ? second : value;
      }
      y.at(r) = value;
    });
  }
};

struct UpsampleKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const SequenceUpsampling s = c.template get<SequenceUpsampling>();
    const Matrix<const Real> x = c.in(0);
    const Matrix<Real> y = c.out(0);
    overCells(y.rows, y.cols, [=] __device__(std::int64_t to, std::int64_t j) {
      const std::int64_t from = s.sourceOf(to % s.target_length);
      y.at(to, j) = from < 0 ? Real(0) : x.at(to / s.target_length * s.length + from, j);
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const SequenceUpsampling s = c.template get<SequenceUpsampling>();
    const Matrix<const Real> dy = c.dout(0);
    const Sum<Real> dx = c.din(0);
    if (!dx) return;
    overCells(dx.cells.rows, dx.cells.cols, [=] __device__(std::int64_t from, std::int64_t j) {
      const std::int64_t first = from / s.length * s.target_length;
      Real sum = 0;
      for (std::int64_t to = 0; to < s.target_length; ++to)
        if (s.sourceOf(to) == from % s.length) sum += dy.at(first + to, j);
      dx.add(from, j, sum);
    });
  }
};

}  // namespace

const DeviceOp kEmbedding = deviceOp<EmbeddingKernels>("embedding");
const DeviceOp kAddPositions = deviceOp<AddPositionsKernels>("add positions");
const DeviceOp kAffine = deviceOp<AffineKernels>("affine");
const DeviceOp kMeanPool = deviceOp<MeanPoolKernels>("mean pool");
const DeviceOp kSequencePool = deviceOp<SequencePoolKernels>("sequence pool");
const DeviceOp kPoolIds = deviceForwardOp<PoolIdsKernels>("pool integers");
const DeviceOp kUpsample = deviceOp<UpsampleKernels>("up-sample");

}  // namespace tfm::cuda

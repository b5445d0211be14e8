// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>

#include "core/backend/cuda/device_op.h"
#include "core/backend/cuda/launch.h"

namespace tfm::cuda {
namespace {

// Indices of the step's inputs and outputs.
enum Input : std::size_t { kQuery, kKey, kValue, kKeyPad, kBias };
enum Output : std::size_t { kMixed, kProbabilities, kDropped, kScores, kMasked };

// A block shares a row of scores, and CUDA promises so much shared memory.
constexpr std::size_t kSharedBytes = 48 * 1024;

template <class Real>
struct Attention {
  AttentionShape s;
  Keep keep;
  Matrix<const Real> q, k, v, bias;
  Ids key_pad;
  List<CellChange> changes;
  Matrix<Real> mixed, probabilities, dropped, scores, masked;
  Real scale;

  Attention(const OpCall<Real>& c, const List<CellChange>& cell_changes)
      : s(c.template get<AttentionArguments>().shape),
        keep(c.template get<AttentionArguments>().dropout, c.position),
        q(c.in(kQuery)),
        k(c.in(kKey)),
        v(c.in(kValue)),
        bias(c.in(kBias)),
        key_pad(c.ids(kKeyPad)),
        changes(cell_changes),
        mixed(c.out(kMixed)),
        probabilities(c.out(kProbabilities)),
        dropped(c.out(kDropped)),
        scores(c.out(kScores)),
        masked(c.out(kMasked)),
        scale(Real(1.0 / std::sqrt(double(s.key_size)))) {}

  std::int64_t rows() const { return s.batch * s.heads * s.queries; }
  /// A block for each query of each head: a number a key, and one a thread.
  Grid grid() const {
    const unsigned threads = sumThreads(s.keys);
    const std::size_t bytes = (std::size_t(s.keys) + threads) * sizeof(Real);
    if (bytes > kSharedBytes)
      throw Error("attention to " + std::to_string(s.keys) + " keys does not fit on the GPU",
                  "cuda", "Train on the CPU with --device cpu");
    return {rows(), threads, bytes};
  }

  /// Where the row of a score matrix belongs.
  struct Place {
    std::int64_t sequence, head, query;
    std::int64_t q_row;      ///< of q and mixed
    std::int64_t first_key;  ///< row of k and v
  };
  __device__ Place placeOf(std::int64_t row) const {
    const std::int64_t sequence = row / (s.heads * s.queries), query = row % s.queries;
    return {sequence, row / s.queries % s.heads, query, sequence * s.queries + query,
            sequence * s.keys};
  }

  /// Calls change(its change) for the changed cells of a row that this thread computes.
  template <class Change>
  __device__ void overChanges(std::int64_t row, const Change& change) const {
    std::int64_t i = 0;
    for (std::int64_t end = changes.size; i < end;) {  // the first one that is not above the row
      const std::int64_t middle = (i + end) / 2;
      if (changes.at(middle).row < row)
        i = middle + 1;
      else
        end = middle;
    }
    for (; i < changes.size && changes.at(i).row == row; ++i)
      if (changes.at(i).col % blockDim.x == threadIdx.x) change(changes.at(i));
  }
};

template <class Real>
Scratch<CellChange> changesOf(const OpCall<Real>& c) {
  return Scratch<CellChange>(
      std::span<const CellChange>(c.template get<AttentionArguments>().changes));
}

template <class Real>
__global__ void attend(Attention<Real> a) {
  const AttentionShape& s = a.s;
  const std::int64_t row = blockIdx.x;
  const auto at = a.placeOf(row);
  const Shared<Real> cells(0, s.keys), room(s.keys, blockDim.x);
  const std::int64_t q_col = at.head * s.key_size, v_col = at.head * s.value_size;
  Real own = -std::numeric_limits<Real>::infinity();
  for (std::int64_t j = threadIdx.x; j < s.keys; j += blockDim.x) {
    Real score = 0;
    for (std::int64_t i = q_col; i < q_col + s.key_size; ++i)
      score += a.q.at(at.q_row, i) * a.k.at(at.first_key + j, i);
    if (a.bias) score += a.bias.at(row, j);
    if (a.scores) a.scores.at(row, j) = score;
    score *= a.scale;
    if (a.key_pad && a.key_pad.at(at.first_key + j) != 0) score += Real(kPadScore);
    if (s.causal && j > at.query) score = -std::numeric_limits<Real>::infinity();
    if (a.masked) a.masked.at(row, j) = score;
    cells[j] = score;
    own = own < score ? score : own;
  }
  const Real top = blockMax(room, own);
  own = 0;
  for (std::int64_t j = threadIdx.x; j < s.keys; j += blockDim.x) {
    cells[j] = std::exp(cells[j] - top);
    own += cells[j];
  }
  const Real factor = Real(1) / blockSum(room, own);
  for (std::int64_t j = threadIdx.x; j < s.keys; j += blockDim.x) {
    const Real probability = cells[j] * factor;
    a.probabilities.at(row, j) = probability;
    cells[j] = probability;
    if (!a.dropped) continue;
    cells[j] *= a.keep.template factor<Real>(row, s.keys, j);
    a.dropped.at(row, j) = cells[j];
  }
  if (a.dropped)
    a.overChanges(row, [&](const CellChange& one) {
      cells[one.col] = one.of(cells[one.col]);
      a.dropped.at(row, one.col) = cells[one.col];
    });
  __syncthreads();
  for (std::int64_t i = threadIdx.x; i < s.value_size; i += blockDim.x) {
    Real sum = 0;
    for (std::int64_t j = 0; j < s.keys; ++j) sum += cells[j] * a.v.at(at.first_key + j, v_col + i);
    a.mixed.at(at.q_row, v_col + i) = sum;
  }
}

/// dscores = p (dp - sum_j dp_j p_j) / sqrt(key size),  dp = dropout(factor * dmixed v^T)
template <class Real>
__global__ void scoreGradients(Attention<Real> a, Matrix<const Real> dmixed, Matrix<Real> dscores) {
  const AttentionShape& s = a.s;
  const std::int64_t row = blockIdx.x;
  const auto at = a.placeOf(row);
  const Shared<Real> cells(0, s.keys), room(s.keys, blockDim.x);
  const std::int64_t v_col = at.head * s.value_size;
  for (std::int64_t j = threadIdx.x; j < s.keys; j += blockDim.x) {
    Real gradient = 0;
    for (std::int64_t i = v_col; i < v_col + s.value_size; ++i)
      gradient += dmixed.at(at.q_row, i) * a.v.at(at.first_key + j, i);
    if (a.dropped) gradient *= a.keep.template factor<Real>(row, s.keys, j);
    cells[j] = gradient;
  }
  if (a.dropped)
    a.overChanges(row, [&](const CellChange& one) { cells[one.col] *= Real(one.factor); });
  Real own = 0;
  for (std::int64_t j = threadIdx.x; j < s.keys; j += blockDim.x)
    own += cells[j] * a.probabilities.at(row, j);
  const Real inner = blockSum(room, own);
  for (std::int64_t j = threadIdx.x; j < s.keys; j += blockDim.x)
    dscores.at(row, j) = a.probabilities.at(row, j) * (cells[j] - inner) * a.scale;
}

/// result(j, c) = sum over the queries i of cells(i, j) x(i, c), for keys and values.
template <class Real>
void addOverQueries(const AttentionShape& s, std::int64_t size, const Matrix<Real>& cells,
                    const Matrix<const Real>& x, const Sum<Real>& result) {
  overCells(result.cells.rows, result.cells.cols, [=] __device__(std::int64_t r, std::int64_t c) {
    const std::int64_t sequence = r / s.keys, head = c / size;
    const std::int64_t first = (sequence * s.heads + head) * s.queries;
    Real sum = 0;
    for (std::int64_t i = 0; i < s.queries; ++i)
      sum += cells.at(first + i, r % s.keys) * x.at(sequence * s.queries + i, c);
    result.add(r, c, sum);
  });
}

struct AttentionKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Scratch<CellChange> changes = changesOf(c);
    const Attention<Real> a(c, changes.list());
    launch(attend<Real>, a.grid(), a);
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const Scratch<CellChange> changes = changesOf(c);
    const Attention<Real> a(c, changes.list());
    const AttentionShape s = a.s;
    const Matrix<const Real> dmixed = c.dout(kMixed);
    const Sum<Real> dq = c.din(kQuery), dk = c.din(kKey), dv = c.din(kValue), dbias = c.din(kBias);
    // mixed = weights v:  dv = weights^T dmixed
    if (dv) addOverQueries(s, s.value_size, a.dropped ? a.dropped : a.probabilities, dmixed, dv);
    if (!dq && !dk && !dbias) return;
    const Scratch<Real> memory(a.rows() * s.keys);
    const Matrix<Real> dscores(MatrixView<Real>(memory.data(), a.rows(), s.keys));
    launch(scoreGradients<Real>, a.grid(), a, dmixed, dscores);
    // scores = q k^T + bias:  dq = dscores k,  dk = dscores^T q,  dbias = dscores
    if (dk) addOverQueries(s, s.key_size, dscores, a.q, dk);
    if (dbias)
      overCells(dscores.rows, dscores.cols, [=] __device__(std::int64_t r, std::int64_t j) {
        dbias.add(r, j, dscores.at(r, j));
      });
    if (!dq) return;
    const Matrix<const Real> k = a.k;
    overCells(dq.cells.rows, dq.cells.cols, [=] __device__(std::int64_t r, std::int64_t col) {
      const std::int64_t sequence = r / s.queries, head = col / s.key_size;
      const std::int64_t row = (sequence * s.heads + head) * s.queries + r % s.queries;
      Real sum = 0;
      for (std::int64_t j = 0; j < s.keys; ++j)
        sum += dscores.at(row, j) * k.at(sequence * s.keys + j, col);
      dq.add(r, col, sum);
    });
  }
};

}  // namespace

const DeviceOp kAttention = deviceOp<AttentionKernels>("attention");

}  // namespace tfm::cuda

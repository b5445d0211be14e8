// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cuda/device_op.h"
#include "core/backend/cuda/launch.h"
#include "core/backend/cuda/tile.h"

namespace tfm::cuda {
namespace {

// Indices of the step's inputs and outputs.
enum Input : std::size_t { kQuery, kKey, kValue, kKeyPad, kBias };
enum Output : std::size_t { kMixed, kProbabilities, kDropped, kScores, kMasked };

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

  std::int64_t heads() const { return s.batch * s.heads; }
  std::int64_t rows() const { return heads() * s.queries; }
  __device__ Matrix<const Real> weights() const {
    return (dropped ? dropped : probabilities).constant();
  }

  // The part of a head of a sequence in a matrix, and of its maps.
  __device__ Window<Real> ofQueries(const Matrix<const Real>& m, std::int64_t head,
                                    std::int64_t size) const {
    return {m, head / s.heads * s.queries, s.queries, head % s.heads * size, size};
  }
  __device__ Window<Real> ofKeys(const Matrix<const Real>& m, std::int64_t head,
                                 std::int64_t size) const {
    return {m, head / s.heads * s.keys, s.keys, head % s.heads * size, size};
  }
  __device__ Window<Real> ofMap(std::int64_t head) const {
    return {weights(), head * s.queries, s.queries, 0, s.keys};
  }

  /// How many keys some of the queries up to `end` see.
  __device__ std::int64_t keysUpTo(std::int64_t end) const {
    return s.causal && end < s.keys ? end : s.keys;
  }

  /// Calls change(its change) for the changed cells of some rows that this thread computes.
  template <class Change>
  __device__ void overChanges(std::int64_t row, std::int64_t rows, const Change& change) const {
    std::int64_t i = 0;
    for (std::int64_t end = changes.size; i < end;) {  // the first one that is not above the row
      const std::int64_t middle = (i + end) / 2;
      if (changes.at(middle).row < row)
        i = middle + 1;
      else
        end = middle;
    }
    for (; i < changes.size && changes.at(i).row < row + rows; ++i) change(changes.at(i));
  }

  /// The gradient of a probability, from that of a weight.
  __device__ Real behindDropout(std::int64_t row, std::int64_t key, Real gradient) const {
    if (!dropped) return gradient;
    gradient *= keep.template factor<Real>(row, s.keys, key);
    overChanges(row, 1, [&](const CellChange& one) {
      if (one.col == key) gradient *= Real(one.factor);
    });
    return gradient;
  }
};

/// A block for each tile of the rows of each head.
template <class Real, int parts>
struct HeadTile {
  std::int64_t head, first;

  __device__ explicit HeadTile(std::int64_t rows) {
    const std::int64_t tiles = tilesOf(rows, Tile<Real, parts>::kSize);
    head = blockIdx.x / tiles;
    first = blockIdx.x % tiles * Tile<Real, parts>::kSize;
  }
  static Grid grid(std::int64_t heads, std::int64_t rows, int shared) {
    return {heads * tilesOf(rows, Tile<Real, parts>::kSize), kTileThreads,
            std::size_t(shared) * sizeof(Real)};
  }
};

template <class Real>
Scratch<CellChange> changesOf(const OpCall<Real>& c) {
  return Scratch<CellChange>(
      std::span<const CellChange>(c.template get<AttentionArguments>().changes));
}

/// Maxima and sums of exponentials of rows, which grow key by key. Of each row its part of the keys
/// first, and those of all keys after join().
template <class Real, int parts>
struct Softmax {
  Real top[parts], sum[parts];

  __device__ Softmax() {
    for (int i = 0; i < parts; ++i) {
      top[i] = -std::numeric_limits<Real>::infinity();
      sum[i] = 0;
    }
  }
  __device__ void add(int i, Real score) {
    if (score == -std::numeric_limits<Real>::infinity()) return;
    if (score > top[i]) {
      sum[i] = sum[i] * std::exp(top[i] - score) + Real(1);
      top[i] = score;
    } else {
      sum[i] += std::exp(score - top[i]);
    }
  }
  __device__ void join() {
    for (int i = 0; i < parts; ++i) {
      const Real all = warpJoin(top[i], Larger(), kSide);
      sum[i] =
          warpJoin(sum[i] == Real(0) ? Real(0) : sum[i] * std::exp(top[i] - all), Add(), kSide);
      top[i] = all;
    }
  }
};

/// Some queries of a head. Their scores lie where the probabilities will.
template <class Real, int parts>
__global__ void attend(Attention<Real> a) {
  using Sums = Tile<Real, parts>;
  const AttentionShape& s = a.s;
  const HeadTile<Real, parts> at(s.queries);
  const std::int64_t map_row = at.head * s.queries + at.first;
  const std::int64_t seen = a.keysUpTo(at.first + Sums::kSize);
  const Shared<Real> room(0, Sums::kRoom);
  const auto isCell = [&](int r, std::int64_t key) {
    return at.first + r < s.queries && key < s.keys;
  };
  Softmax<Real, parts> softmax;
  for (std::int64_t key = 0; key < s.keys; key += Sums::kSize) {
    Sums products;
    if (key < seen || a.scores)
      products.addProduct(room, s.key_size, a.ofQueries(a.q, at.head, s.key_size).from(at.first, 0),
                          a.ofKeys(a.k, at.head, s.key_size).from(key, 0).transposed());
    products.each([&](int i, int r, int c, Real score) {
      const std::int64_t row = map_row + r, j = key + c;
      if (!isCell(r, j)) return;
      if (a.bias) score += a.bias.at(row, j);
      if (a.scores) a.scores.at(row, j) = score;
      score *= a.scale;
      if (a.key_pad && a.key_pad.at(at.head / s.heads * s.keys + j) != 0) score += Real(kPadScore);
      if (s.causal && j > at.first + r) score = -std::numeric_limits<Real>::infinity();
      if (a.masked) a.masked.at(row, j) = score;
      a.probabilities.at(row, j) = score;
      softmax.add(i, score);
    });
  }
  softmax.join();
  for (std::int64_t key = 0; key < s.keys; key += Sums::kSize)
    Sums().each([&](int i, int r, int c, Real) {
      const std::int64_t row = map_row + r, j = key + c;
      if (!isCell(r, j)) return;
      Real& probability = a.probabilities.at(row, j);
      probability = std::exp(probability - softmax.top[i]) / softmax.sum[i];
      if (a.dropped)
        a.dropped.at(row, j) = probability * a.keep.template factor<Real>(row, s.keys, j);
    });
  __syncthreads();
  if (a.changes) {
    const std::int64_t rows =
        at.first + Sums::kSize < s.queries ? Sums::kSize : s.queries - at.first;
    a.overChanges(map_row, rows, [&](const CellChange& one) {
      if (one.col % blockDim.x != threadIdx.x) return;  // the changes of a cell are made in order
      Real& weight = a.dropped.at(one.row, one.col);
      weight = one.of(weight);
    });
    __syncthreads();
  }
  for (std::int64_t col = 0; col < s.value_size; col += Sums::kSize) {
    Sums mixed;
    mixed.addProduct(room, seen, a.ofMap(at.head).from(at.first, 0),
                     a.ofKeys(a.v, at.head, s.value_size).from(0, col));
    mixed.each([&](int, int r, int c, Real sum) {
      if (at.first + r < s.queries && col + c < s.value_size)
        a.mixed.at(at.head / s.heads * s.queries + at.first + r,
                   at.head % s.heads * s.value_size + col + c) = sum;
    });
  }
}

/// mixed = weights v:  dv = weights^T dmixed, of some keys of a head.
template <class Real, int parts>
__global__ void addValueGradients(Attention<Real> a, Matrix<const Real> dmixed, Sum<Real> dv) {
  using Sums = Tile<Real, parts>;
  const AttentionShape& s = a.s;
  const HeadTile<Real, parts> at(s.keys);
  const std::int64_t from = s.causal ? (at.first < s.queries ? at.first : s.queries) : 0;
  const Shared<Real> room(0, Sums::kRoom);
  for (std::int64_t col = 0; col < s.value_size; col += Sums::kSize) {
    Sums sums;
    sums.addProduct(room, s.queries - from, a.ofMap(at.head).from(from, at.first).transposed(),
                    a.ofQueries(dmixed, at.head, s.value_size).from(from, col));
    sums.each([&](int, int r, int c, Real sum) {
      if (at.first + r < s.keys && col + c < s.value_size)
        dv.add(at.head / s.heads * s.keys + at.first + r,
               at.head % s.heads * s.value_size + col + c, sum);
    });
  }
}

/// inner_i = sum_j dp_ij p_ij, of some queries of a head, dp = dropout(factor * dmixed v^T).
template <class Real, int parts>
__global__ void innerProducts(Attention<Real> a, Matrix<const Real> dmixed, List<Real> inner) {
  using Sums = Tile<Real, parts>;
  const AttentionShape& s = a.s;
  const HeadTile<Real, parts> at(s.queries);
  const std::int64_t seen = a.keysUpTo(at.first + Sums::kSize);
  const Shared<Real> room(0, Sums::kRoom);
  Real own[parts] = {};
  for (std::int64_t key = 0; key < seen; key += Sums::kSize) {
    Sums dweights;
    dweights.addProduct(room, s.value_size,
                        a.ofQueries(dmixed, at.head, s.value_size).from(at.first, 0),
                        a.ofKeys(a.v, at.head, s.value_size).from(key, 0).transposed());
    dweights.each([&](int i, int r, int c, Real gradient) {
      const std::int64_t row = at.head * s.queries + at.first + r, j = key + c;
      if (at.first + r < s.queries && j < s.keys)
        own[i] += a.behindDropout(row, j, gradient) * a.probabilities.at(row, j);
    });
  }
  for (int i = 0; i < parts; ++i) {
    const Real sum = warpJoin(own[i], Add(), kSide);
    const std::int64_t query = at.first + Sums::row(i);
    if (Sums::col(0) == 0 && query < s.queries) inner.at(at.head * s.queries + query) = sum;
  }
}

/// dscores = p (dp - inner) / sqrt(key size), a tile at a time:  dq = dscores k,  dk = dscores^T q,
/// dbias = dscores. For some queries of a head or, `of_keys`, some keys; dbias with the queries.
template <class Real, int parts, bool of_keys>
__global__ void addScoreGradients(Attention<Real> a, Matrix<const Real> dmixed, List<Real> inner,
                                  Sum<Real> result, Sum<Real> dbias) {
  using Sums = Tile<Real, parts>;
  const AttentionShape& s = a.s;
  const std::int64_t own = of_keys ? s.keys : s.queries, others = of_keys ? s.queries : s.keys;
  const HeadTile<Real, parts> at(own);
  const Shared<Real> room(0, Sums::kRoom), dscores(Sums::kRoom, Sums::kSize * Sums::kSize);
  const Window<Real> dm = a.ofQueries(dmixed, at.head, s.value_size);
  const Window<Real> v = a.ofKeys(a.v, at.head, s.value_size);
  const Window<Real> x =
      of_keys ? a.ofQueries(a.q, at.head, s.key_size) : a.ofKeys(a.k, at.head, s.key_size);
  for (std::int64_t col = 0; col == 0 || (result && col < s.key_size); col += Sums::kSize) {
    Sums sums;
    for (std::int64_t other = 0; other < others; other += Sums::kSize) {
      const bool hidden =
          s.causal && (of_keys ? other + Sums::kSize <= at.first : other >= at.first + Sums::kSize);
      if (hidden && !dbias) continue;
      Sums dweights;
      if (of_keys)
        dweights.addProduct(room, s.value_size, v.from(at.first, 0),
                            dm.from(other, 0).transposed());
      else
        dweights.addProduct(room, s.value_size, dm.from(at.first, 0),
                            v.from(other, 0).transposed());
      dweights.each([&](int, int r, int c, Real gradient) {
        Real& dscore = dscores[r * Sums::kSize + c];
        dscore = 0;
        if (at.first + r >= own || other + c >= others) return;
        const std::int64_t query = of_keys ? other + c : at.first + r;
        const std::int64_t key = of_keys ? at.first + r : other + c;
        const std::int64_t row = at.head * s.queries + query;
        dscore = a.probabilities.at(row, key) *
                 (a.behindDropout(row, key, gradient) - inner.at(row)) * a.scale;
        if (dbias && col == 0) dbias.add(row, key, dscore);
      });
      if (result)
        sums.addProduct(room, Sums::kSize, SharedTile<Real, Sums::kSize>{dscores},
                        x.from(other, col));
    }
    if (!result) return;
    sums.each([&](int, int r, int c, Real sum) {
      if (at.first + r < own && col + c < s.key_size)
        result.add(at.head / s.heads * own + at.first + r, at.head % s.heads * s.key_size + col + c,
                   sum);
    });
  }
}

template <class Real, int parts>
void attendTiles(const Attention<Real>& a) {
  using At = HeadTile<Real, parts>;
  launch(attend<Real, parts>, At::grid(a.heads(), a.s.queries, Tile<Real, parts>::kRoom), a);
}

template <class Real, int parts>
void attendTilesBackward(const Attention<Real>& a, const OpCall<Real>& c) {
  using At = HeadTile<Real, parts>;
  constexpr int room = Tile<Real, parts>::kRoom, size = Tile<Real, parts>::kSize;
  const AttentionShape& s = a.s;
  const Matrix<const Real> dmixed = c.dout(kMixed);
  const Sum<Real> dq = c.din(kQuery), dk = c.din(kKey), dv = c.din(kValue), dbias = c.din(kBias);
  if (dv) launch(addValueGradients<Real, parts>, At::grid(a.heads(), s.keys, room), a, dmixed, dv);
  if (!dq && !dk && !dbias) return;
  const Scratch<Real> memory(a.rows());
  const List<Real> inner = memory.list();
  launch(innerProducts<Real, parts>, At::grid(a.heads(), s.queries, room), a, dmixed, inner);
  constexpr int shared = room + size * size;
  if (dq || dbias)
    launch(addScoreGradients<Real, parts, false>, At::grid(a.heads(), s.queries, shared), a, dmixed,
           inner, dq, dbias);
  if (dk)
    launch(addScoreGradients<Real, parts, true>, At::grid(a.heads(), s.keys, shared), a, dmixed,
           inner, dk, Sum<Real>());
}

struct AttentionKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Scratch<CellChange> changes = changesOf(c);
    const Attention<Real> a(c, changes.list());
    usesLargeTiles(a) ? attendTiles<Real, kLargeParts<Real>>(a) : attendTiles<Real, 1>(a);
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const Scratch<CellChange> changes = changesOf(c);
    const Attention<Real> a(c, changes.list());
    usesLargeTiles(a) ? attendTilesBackward<Real, kLargeParts<Real>>(a, c)
                      : attendTilesBackward<Real, 1>(a, c);
  }

 private:
  template <class Real>
  static bool usesLargeTiles(const Attention<Real>& a) {
    return useLargeTiles<Real>(a.s.queries, a.s.keys, a.heads());
  }
};

}  // namespace

const DeviceOp kAttention = deviceOp<AttentionKernels>("attention");

}  // namespace tfm::cuda

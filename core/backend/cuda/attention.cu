// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cuda/device_op.h"
#include "core/backend/cuda/launch.h"
#include "core/backend/cuda/tile.h"

namespace tfm::cuda {
namespace {

// Indices of the step's inputs and outputs.
enum Input : std::size_t { kQuery, kKey, kValue, kKeyPad, kBias };
enum Output : std::size_t { kMixed, kProbabilities, kDropped, kScores, kMasked, kSoftmaxRows };

/// Attention goes tile by tile over scores that are computed whenever they are needed (Dao et al.
/// 2022, "FlashAttention"): of each row of the softmax only its maximum and sum are in memory, and
/// maps only where a program keeps them to be looked at.
template <class Real>
struct Attention {
  AttentionShape s;
  Keep keep;
  Matrix<const Real> q, k, v, bias;
  Ids key_pad;
  List<CellChange> changes;
  Matrix<Real> mixed, probabilities, dropped, scores, masked;
  Matrix<Real> softmax_rows;  ///< of each row the largest masked score, and the sum
  Real scale;

  Attention(const OpCall<Real>& c, const List<CellChange>& cell_changes, const List<Real>& rows)
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
        softmax_rows(rows ? MatrixView<Real>(rows.data, rows.size / 2, 2) : c.out(kSoftmaxRows)),
        scale(Real(1.0 / std::sqrt(double(s.key_size)))) {}

  std::int64_t heads() const { return s.batch * s.heads; }
  std::int64_t rows() const { return heads() * s.queries; }

  // The part of a head of a sequence in a matrix.
  __device__ Window<Real> ofQueries(const Matrix<const Real>& m, std::int64_t head,
                                    std::int64_t size) const {
    return {m, head / s.heads * s.queries, s.queries, head % s.heads * size, size};
  }
  __device__ Window<Real> ofKeys(const Matrix<const Real>& m, std::int64_t head,
                                 std::int64_t size) const {
    return {m, head / s.heads * s.keys, s.keys, head % s.heads * size, size};
  }

  /// How many keys some of the queries up to `end` see.
  __device__ std::int64_t keysUpTo(std::int64_t end) const { return s.endSeen(end - 1); }

  /// q k^T from a query and key of a head on; `of_keys`: its transpose.
  template <class Sums, bool of_keys>
  __device__ Sums scoreTile(const Shared<Real>& room, std::int64_t head, std::int64_t query,
                            std::int64_t key) const {
    Sums tile;
    const Window<Real> queries = ofQueries(q, head, s.key_size).from(query, 0);
    const Window<Real> keys = ofKeys(k, head, s.key_size).from(key, 0);
    if constexpr (of_keys)
      tile.addProduct(room, s.key_size, keys, queries.transposed());
    else
      tile.addProduct(room, s.key_size, queries, keys.transposed());
    return tile;
  }
  __device__ std::int64_t rowOf(std::int64_t head, std::int64_t query) const {
    return head * s.queries + query;
  }
  __device__ Real withBias(std::int64_t head, std::int64_t query, std::int64_t key,
                           Real score) const {
    return bias ? score + bias.at(rowOf(head, query), key) : score;
  }
  /// From a score with its bias.
  __device__ Real maskedScore(std::int64_t head, std::int64_t query, std::int64_t key,
                              Real score) const {
    if (s.hides(query, key)) return -std::numeric_limits<Real>::infinity();
    score *= scale;
    const bool pad = key_pad && key_pad.at(head / s.heads * s.keys + key) != 0;
    return pad ? score + Real(kPadScore) : score;
  }
  __device__ Real probability(std::int64_t row, Real masked_score) const {
    return std::exp(masked_score - softmax_rows.at(row, 0)) / softmax_rows.at(row, 1);
  }

  /// Calls change(its change) for the changed cells of a row.
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
    for (; i < changes.size && changes.at(i).row == row; ++i) change(changes.at(i));
  }
  /// What a value is multiplied with.
  __device__ Real weight(std::int64_t row, std::int64_t key, Real p) const {
    p *= keep.template factor<Real>(row, s.keys, key);
    overChanges(row, [&](const CellChange& one) {
      if (one.col == key) p = one.of(p);
    });
    return p;
  }
  /// The gradient of a probability, from that of its weight.
  __device__ Real behindWeight(std::int64_t row, std::int64_t key, Real gradient) const {
    gradient *= keep.template factor<Real>(row, s.keys, key);
    overChanges(row, [&](const CellChange& one) {
      if (one.col == key) gradient *= Real(one.factor);
    });
    return gradient;
  }
  /// The part of a row's weights that its probabilities have no share in, times dmixed v^T.
  __device__ Real addedByChanges(std::int64_t row, const Matrix<const Real>& dmixed) const {
    const std::int64_t head = row / s.queries, query = row % s.queries;
    const Window<Real> dm = ofQueries(dmixed, head, s.value_size).from(query, 0);
    Real all = 0;
    overChanges(row, [&](const CellChange& one) {
      const Window<Real> value = ofKeys(v, head, s.value_size).from(one.col, 0);
      Real dweight = 0;
      for (std::int64_t j = 0; j < s.value_size; ++j) dweight += dm(0, j) * value(0, j);
      Real added = Real(one.added);
      bool later = false;  // changes of the same cell are made in order
      overChanges(row, [&](const CellChange& other) {
        if (later && other.col == one.col) added *= Real(other.factor);
        later = later || &other == &one;
      });
      all += added * dweight;
    });
    return all;
  }
};

/// A block for each tile of the rows and columns of each head.
template <class Sums>
struct HeadTile {
  std::int64_t head, first, col;

  __device__ HeadTile(std::int64_t rows, std::int64_t cols) {
    const std::int64_t across = tilesOf(cols, Sums::kSize), down = tilesOf(rows, Sums::kSize);
    col = blockIdx.x % across * Sums::kSize;
    first = blockIdx.x / across % down * Sums::kSize;
    head = blockIdx.x / across / down;
  }
  /// With room for a product, and a tile if it is itself multiplied.
  static Grid grid(std::int64_t heads, std::int64_t rows, std::int64_t cols, bool tile) {
    return {heads * tilesOf(rows, Sums::kSize) * tilesOf(cols, Sums::kSize), kTileThreads,
            std::size_t(Sums::kRoom + (tile ? Sums::kSize * Sums::kSize : 0)) *
                sizeof(typename Sums::Number)};
  }
};

/// Some queries of a head and columns of its values, or without values the rows of the softmax
/// alone. Maxima and sums grow tile by tile, and what was summed up before shrinks with them.
template <class Sums, class Real>
__global__ void attend(Attention<Real> a) {
  constexpr int parts = Sums::parts, size = Sums::kSize;
  constexpr Real nothing = -std::numeric_limits<Real>::infinity();
  const AttentionShape& s = a.s;
  const HeadTile<Sums> at(s.queries, a.mixed ? s.value_size : 1);
  const std::int64_t seen = a.keysUpTo(at.first + size);
  const Shared<Real> room(0, Sums::kRoom), weights(Sums::kRoom, size * size);
  Real top[parts], sum[parts];
  for (int i = 0; i < parts; ++i) {
    top[i] = nothing;
    sum[i] = 0;
  }
  Sums mixed;
  for (std::int64_t key = 0; key < seen; key += size) {
    Sums scores = a.template scoreTile<Sums, false>(room, at.head, at.first, key);
    scores.each([&](int, int r, int c, Real& score) {
      const std::int64_t query = at.first + r, j = key + c;
      score = query < s.queries && j < s.keys
                  ? a.maskedScore(at.head, query, j, a.withBias(at.head, query, j, score))
                  : nothing;
    });
    for (int i = 0; i < parts; ++i) {
      Real highest = top[i];
      for (int j = 0; j < parts; ++j) highest = Larger()(highest, scores.cells[i][j]);
      highest = warpJoin(highest, Larger(), kSide);
      const Real shrink = top[i] == nothing ? Real(0) : std::exp(top[i] - highest);
      top[i] = highest;
      sum[i] *= shrink;
      for (int j = 0; j < parts; ++j) mixed.cells[i][j] *= shrink;
    }
    scores.each([&](int i, int r, int c, Real& score) {
      Real share = score == nothing ? Real(0) : std::exp(score - top[i]);
      sum[i] += share;
      if (share != Real(0))
        share *= a.keep.template factor<Real>(a.rowOf(at.head, at.first + r), s.keys, key + c);
      weights[r * size + c] = share;
    });
    if (a.mixed)
      mixed.addProduct(room, seen - key < size ? seen - key : size, SharedTile<Real, size>{weights},
                       a.ofKeys(a.v, at.head, s.value_size).from(key, at.col));
  }
  for (int i = 0; i < parts; ++i) {
    sum[i] = warpJoin(sum[i], Add(), kSide);
    const std::int64_t query = at.first + Sums::row(i);
    if (at.col != 0 || Sums::col(0) != 0 || query >= s.queries) continue;
    a.softmax_rows.at(a.rowOf(at.head, query), 0) = top[i];
    a.softmax_rows.at(a.rowOf(at.head, query), 1) = sum[i];
  }
  if (!a.mixed) return;
  mixed.each([&](int i, int r, int c, Real& cell) {
    if (at.first + r < s.queries && at.col + c < s.value_size)
      a.mixed.at(at.head / s.heads * s.queries + at.first + r,
                 at.head % s.heads * s.value_size + at.col + c) = cell / sum[i];
  });
}

/// The maps that are kept, once the rows of the softmax are known.
template <class Sums, class Real>
__global__ void writeMaps(Attention<Real> a) {
  const HeadTile<Sums> at(a.s.queries, a.s.keys);
  const Shared<Real> room(0, Sums::kRoom);
  a.template scoreTile<Sums, false>(room, at.head, at.first, at.col)
      .each([&](int, int r, int c, Real& score) {
        const std::int64_t query = at.first + r, key = at.col + c;
        if (query >= a.s.queries || key >= a.s.keys) return;
        const std::int64_t row = a.rowOf(at.head, query);
        score = a.withBias(at.head, query, key, score);
        if (a.scores) a.scores.at(row, key) = score;
        score = a.maskedScore(at.head, query, key, score);
        if (a.masked) a.masked.at(row, key) = score;
        const Real p = a.probability(row, score);
        a.probabilities.at(row, key) = p;
        if (a.dropped) a.dropped.at(row, key) = a.weight(row, key, p);
      });
}

/// mixed = weights v, of weights that were changed.
template <class Sums, class Real>
__global__ void mixChanged(Attention<Real> a) {
  const AttentionShape& s = a.s;
  const HeadTile<Sums> at(s.queries, s.value_size);
  const Shared<Real> room(0, Sums::kRoom);
  const Window<Real> weights(a.dropped.constant(), at.head * s.queries, s.queries, 0, s.keys);
  Sums mixed;
  mixed.addProduct(room, s.keys, weights.from(at.first, 0),
                   a.ofKeys(a.v, at.head, s.value_size).from(0, at.col));
  mixed.each([&](int, int r, int c, Real& sum) {
    if (at.first + r < s.queries && at.col + c < s.value_size)
      a.mixed.at(at.head / s.heads * s.queries + at.first + r,
                 at.head % s.heads * s.value_size + at.col + c) = sum;
  });
}

/// What a backward pass reads and adds to; `inner`: of each row sum_j dp_j p_j.
template <class Real>
struct AttentionGradients {
  Matrix<const Real> dmixed;
  List<Real> inner;
  Sum<Real> dq, dk, dv, dbias;
};

/// A tile at a time, with dscores = p (dp - inner) / sqrt(key size), dp from dmixed v^T:
///   dq = dscores k,  dbias = dscores,  for some queries of a head or, `of_keys`,
///   dk = dscores^T q,  dv = weights^T dmixed,  for some keys.
template <class Sums, bool of_keys, class Real>
__global__ void addGradients(Attention<Real> a, AttentionGradients<Real> g) {
  constexpr int size = Sums::kSize;
  const AttentionShape& s = a.s;
  const std::int64_t own = of_keys ? s.keys : s.queries, others = of_keys ? s.queries : s.keys;
  const Sum<Real> result = of_keys ? g.dk : g.dq, dv = of_keys ? g.dv : Sum<Real>();
  const Sum<Real> dbias = of_keys ? Sum<Real>() : g.dbias;
  const HeadTile<Sums> at(own, 1);
  const Shared<Real> room(0, Sums::kRoom), factors(Sums::kRoom, size * size);
  const SharedTile<Real, size> left{factors};
  const Window<Real> dm = a.ofQueries(g.dmixed, at.head, s.value_size);
  const Window<Real> v = a.ofKeys(a.v, at.head, s.value_size);
  const Window<Real> x =
      of_keys ? a.ofQueries(a.q, at.head, s.key_size) : a.ofKeys(a.k, at.head, s.key_size);
  for (std::int64_t col = 0; col == 0 || (result && col < s.key_size) || (dv && col < s.value_size);
       col += size) {
    const bool adds = (result && col < s.key_size) || (dbias && col == 0);
    const bool adds_values = dv && col < s.value_size;
    Sums sums, value_sums;
    for (std::int64_t other = 0; other < others; other += size) {
      const std::int64_t first_query = of_keys ? other : at.first;
      const std::int64_t first_key = of_keys ? at.first : other;
      if (s.causal && first_query + size <= first_key && !dbias) continue;  // none is seen
      const auto queryOf = [&](int r, int c) { return first_query + (of_keys ? c : r); };
      const auto keyOf = [&](int r, int c) { return first_key + (of_keys ? r : c); };
      const auto isInside = [&](int r, int c) {
        return queryOf(r, c) < s.queries && keyOf(r, c) < s.keys;
      };
      Sums probabilities =
          a.template scoreTile<Sums, of_keys>(room, at.head, first_query, first_key);
      probabilities.each([&](int, int r, int c, Real& p) {
        const std::int64_t query = queryOf(r, c), key = keyOf(r, c);
        Real& weight = factors[r * size + c];
        weight = 0;
        if (!isInside(r, c)) return;
        const std::int64_t row = a.rowOf(at.head, query);
        p = a.probability(row,
                          a.maskedScore(at.head, query, key, a.withBias(at.head, query, key, p)));
        if (adds_values) weight = a.weight(row, key, p);
      });
      if (adds_values) value_sums.addProduct(room, size, left, dm.from(other, col));
      if (!adds) continue;
      Sums dweights;
      if constexpr (of_keys)
        dweights.addProduct(room, s.value_size, v.from(at.first, 0),
                            dm.from(other, 0).transposed());
      else
        dweights.addProduct(room, s.value_size, dm.from(at.first, 0),
                            v.from(other, 0).transposed());
      dweights.eachWith(probabilities, [&](int r, int c, Real gradient, Real p) {
        Real& dscore = factors[r * size + c];
        dscore = 0;
        if (!isInside(r, c)) return;
        const std::int64_t key = keyOf(r, c), row = a.rowOf(at.head, queryOf(r, c));
        dscore = p * (a.behindWeight(row, key, gradient) - g.inner.at(row)) * a.scale;
        if (dbias && col == 0) dbias.add(row, key, dscore);
      });
      if (result && col < s.key_size) sums.addProduct(room, size, left, x.from(other, col));
    }
    const auto add = [&](const Sum<Real>& gradient, std::int64_t cols, Sums& tile) {
      if (!gradient || col >= cols) return;
      tile.each([&](int, int r, int c, Real& sum) {
        if (at.first + r < own && col + c < cols)
          gradient.add(at.head / s.heads * own + at.first + r, at.head % s.heads * cols + col + c,
                       sum);
      });
    };
    add(result, s.key_size, sums);
    add(dv, s.value_size, value_sums);
  }
}

/// The kernels of a call, with tiles of a kind.
template <class Sums, class Real>
void forwardTiles(const Attention<Real>& a) {
  using At = HeadTile<Sums>;
  const AttentionShape& s = a.s;
  launch(attend<Sums, Real>, At::grid(a.heads(), s.queries, a.mixed ? s.value_size : 1, true), a);
  if (a.mixed && a.probabilities)
    launch(writeMaps<Sums, Real>, At::grid(a.heads(), s.queries, s.keys, false), a);
  if (a.mixed && a.changes)
    launch(mixChanged<Sums, Real>, At::grid(a.heads(), s.queries, s.value_size, false), a);
}
template <class Sums, class Real>
void backwardTiles(const Attention<Real>& a, const AttentionGradients<Real>& g) {
  using At = HeadTile<Sums>;
  if (g.dq || g.dbias)
    launch(addGradients<Sums, false, Real>, At::grid(a.heads(), a.s.queries, 1, true), a, g);
  if (g.dk || g.dv)
    launch(addGradients<Sums, true, Real>, At::grid(a.heads(), a.s.keys, 1, true), a, g);
}

struct AttentionKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const Call<Real> call(c);
    call.withTiles([&]<class Sums>(const Sums&) { forwardTiles<Sums>(call.a); });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const Call<Real> call(c);
    const Attention<Real>& a = call.a;
    AttentionGradients<Real> g{c.dout(kMixed), {},          c.din(kQuery), c.din(kKey),
                               c.din(kValue),  c.din(kBias)};
    if (!g.dq && !g.dk && !g.dv && !g.dbias) return;
    // sum_j dp_j p_j = dmixed mixed, but for what changes have added to weights.
    const Scratch<Real> inner(a.rows());
    g.inner = inner.list();
    overSums<Real>(
        a.rows(), a.s.value_size,
        [=] __device__(std::int64_t row, std::int64_t j) {
          const std::int64_t head = row / a.s.queries, query = row % a.s.queries;
          const auto at = [&](const Matrix<const Real>& m) {
            return a.ofQueries(m, head, a.s.value_size).from(query, 0)(0, j);
          };
          return at(g.dmixed) * at(a.mixed.constant());
        },
        [=] __device__(std::int64_t row, Real sum) {
          g.inner.at(row) = sum - a.addedByChanges(row, g.dmixed);
        });
    call.withTiles([&]<class Sums>(const Sums&) {
      if (call.rows.data() != nullptr) {  // nobody has kept them
        Attention<Real> again = a;
        again.mixed = {};
        forwardTiles<Sums>(again);
      }
      backwardTiles<Sums>(a, g);
    });
  }

 private:
  template <class Real>
  struct Call {
    Scratch<CellChange> changes;
    Scratch<Real> rows;
    Attention<Real> a;

    explicit Call(const OpCall<Real>& c)
        : changes(std::span<const CellChange>(c.template get<AttentionArguments>().changes)),
          rows(c.out(kSoftmaxRows) ? 0 : 2 * rowsOf(c.template get<AttentionArguments>().shape)),
          a(c, changes.list(), rows.list()) {}
    template <class Work>
    void withTiles(const Work& work) const {
      withTile<Real>(a.s.queries, a.s.keys, a.heads(), work);
    }
  };
  static std::int64_t rowsOf(const AttentionShape& s) { return s.batch * s.heads * s.queries; }
};

}  // namespace

const DeviceOp kAttention = deviceOp<AttentionKernels>("attention");

}  // namespace tfm::cuda

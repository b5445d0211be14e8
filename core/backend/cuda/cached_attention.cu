// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cuda/device_op.h"
#include "core/backend/cuda/launch.h"

namespace tfm::cuda {
namespace {

// Indices of the step's inputs and outputs.
enum Input : std::size_t { kQuery, kKey, kValue, kPlaces, kBias };
enum Output : std::size_t { kMixed, kKeptKeys, kKeptValues };

template <class Real>
struct CachedAttention {
  AttentionShape s;
  std::int64_t group, key_columns;
  Matrix<const Real> q, bias;
  Ids places;
  Matrix<Real> mixed, keys, values;
  List<Real> shares;  ///< s.keys for each row and head
  Real scale;

  CachedAttention(const OpCall<Real>& c, const List<Real>& room)
      : s(c.template get<CachedAttentionArguments>().shape),
        group(c.template get<CachedAttentionArguments>().group),
        key_columns(c.template get<CachedAttentionArguments>().keyColumns()),
        q(c.in(kQuery)),
        bias(c.in(kBias)),
        places(c.ids(kPlaces)),
        mixed(c.out(kMixed)),
        keys(c.out(kKeptKeys)),
        values(c.out(kKeptValues)),
        shares(room),
        scale(Real(1.0 / std::sqrt(double(s.key_size)))) {}
};

/// A block for each row and head.
template <class Real>
__global__ void attendToKept(CachedAttention<Real> a) {
  const Shared<Real> room(0, blockDim.x);
  const std::int64_t r = blockIdx.x / a.s.heads, head = blockIdx.x % a.s.heads;
  const std::int64_t sequence = r / a.s.queries, shared = head / a.group;
  const std::int64_t place = a.places.at(r), first = blockIdx.x * a.s.keys;
  const std::int64_t from = a.s.firstSeen(place), seen = a.s.endSeen(place);
  const std::int64_t bias_row = (sequence * a.s.heads + head) * a.s.queries + r % a.s.queries;
  const std::int64_t key_row = sequence * a.key_columns + shared * a.s.key_size;
  Real own = -std::numeric_limits<Real>::infinity();
  for (std::int64_t j = from + threadIdx.x; j < seen; j += blockDim.x) {
    Real score = 0;
    for (std::int64_t k = 0; k < a.s.key_size; ++k)
      score += a.q.at(r, head * a.s.key_size + k) * a.keys.at(key_row + k, j);
    if (a.bias) score += a.bias.at(bias_row, j);
    score *= a.scale;
    a.shares.at(first + j) = score;
    own = own < score ? score : own;
  }
  const Real top = blockMax(room, own);
  own = 0;
  for (std::int64_t j = from + threadIdx.x; j < seen; j += blockDim.x) {
    const Real share = std::exp(a.shares.at(first + j) - top);
    a.shares.at(first + j) = share;
    own += share;
  }
  const Real sum = blockSum(room, own);  // after which all shares are there
  for (std::int64_t k = threadIdx.x; k < a.s.value_size; k += blockDim.x) {
    Real mixed = 0;
    for (std::int64_t j = from; j < seen; ++j)
      mixed += a.shares.at(first + j) *
               a.values.at(sequence * a.s.keys + j, shared * a.s.value_size + k);
    a.mixed.at(r, head * a.s.value_size + k) = mixed / sum;
  }
}

struct CachedAttentionKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const AttentionShape& s = c.template get<CachedAttentionArguments>().shape;
    const std::int64_t blocks = s.batch * s.queries * s.heads;
    const Scratch<Real> memory(blocks * s.keys);
    const CachedAttention<Real> a(c, memory.list());
    const Matrix<const Real> k = c.in(kKey), v = c.in(kValue);
    overCells(k.rows, k.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      a.keys.at(r / a.s.queries * k.cols + j, a.places.at(r)) = k.at(r, j);
    });
    overCells(v.rows, v.cols, [=] __device__(std::int64_t r, std::int64_t j) {
      a.values.at(r / a.s.queries * a.s.keys + a.places.at(r), j) = v.at(r, j);
    });
    const unsigned threads = sumThreads(s.keys);
    launch(attendToKept<Real>, {blocks, threads, threads * sizeof(Real)}, a);
  }
};

}  // namespace

const DeviceOp kCachedAttention = deviceForwardOp<CachedAttentionKernels>("cached attention");

}  // namespace tfm::cuda

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/ops/ops.h"
#include "core/tensor/eigen_map.h"

namespace tfm::ops {
namespace {

struct EmbeddingKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto y = c.out(0);
    const auto ids = c.ids(0);
    const auto table = c.in(1);
    const Real scale = Real(c.template get<EmbeddingArguments>().scale);
    for (std::int64_t r = 0; r < y.rows; ++r) {
      check(ids[r] >= 0 && ids[r] < table.rows, "embedding: token ids lie in the vocabulary");
      map(y).row(r) = scale * map(table).row(ids[r]);
    }
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const auto dtable = clearIfFresh(c.din(1));
    const auto ids = c.ids(0);
    const auto dy = c.dout(0);
    const Real scale = Real(c.template get<EmbeddingArguments>().scale);
    if (!dtable) return;
    for (std::int64_t r = 0; r < dy.rows; ++r) map(dtable).row(ids[r]) += scale * map(dy).row(r);
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return c.out(0).size();
  }
};

}  // namespace

const Op kEmbedding = makeOp<EmbeddingKernels>("embedding", "y[r] = scale * table[id[r]]");

TensorId embedding(ProgramBuilder& b, const std::string& path, TensorId ids, TensorId table,
                   double scale) {
  check(b.tensor(ids).role == Role::Ids, "embedding: ids is a tensor of integers");
  const TensorId y = b.activation(path, b.tensor(ids).rows, b.tensor(table).cols);
  b.append({&kEmbedding, path, {ids, table}, {y}, EmbeddingArguments{scale}});
  return y;
}

}  // namespace tfm::ops

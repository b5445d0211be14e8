// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/program/ops/op_table.h"
#include "core/program/ops/ops.h"

namespace tfm {
namespace {

struct EmbeddingKernels {
  template <class Real>
  static void forward(const StepContext<Real>& c) {
    c.backend.embedding(c.out(0), c.ids(0), c.in(1),
                        Real(c.template arguments<EmbeddingArguments>().scale));
  }
  template <class Real>
  static void backward(const StepContext<Real>& c) {
    c.backend.embeddingBackward(c.inGradient(1), c.ids(0), c.outGradient(0),
                                Real(c.template arguments<EmbeddingArguments>().scale));
  }
};

}  // namespace

OpDefinition embeddingOp() {
  return makeOp<EmbeddingKernels>(Op::Embedding, "embedding", "y[r] = scale * table[id[r]]",
                                  outputElements);
}

namespace ops {

TensorId embedding(ProgramBuilder& b, const std::string& path, TensorId ids, TensorId table,
                   double scale) {
  check(b.tensor(ids).role == Role::Ids, "embedding: reads token ids");
  const TensorId y = b.activation(path, b.tensor(ids).rows, b.tensor(table).cols);
  b.append({Op::Embedding, path, {ids, table}, {y}, EmbeddingArguments{scale}});
  return y;
}

}  // namespace ops

}  // namespace tfm

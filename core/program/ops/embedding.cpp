// SPDX-License-Identifier: GPL-3.0-or-later
#define HWY_TARGET_INCLUDE "core/program/ops/embedding.cpp"
#include <hwy/foreach_target.h>  // comes before highway.h

#include "core/backend/cpu/elementwise.h"
#include "core/backend/cpu/target.h"
#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::ops::HWY_NAMESPACE {
namespace {

using namespace cpu::HWY_NAMESPACE;

struct EmbeddingKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto y = c.out(0);
    const auto ids = c.ids(0);
    const auto table = c.in(1);
    const Real scale = Real(c.template get<EmbeddingArguments>().scale);
    for (std::int64_t r = 0; r < y.rows; ++r) {
      check(ids[r] >= 0 && ids[r] < table.rows, "embedding: token ids lie in the vocabulary");
      elementwise(y.rowsFrom(r, 1), scaledBy(scale), table.rowsFrom(ids[r], 1));
    }
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    const auto dtable = clearIfFresh(c.din(1));
    const auto ids = c.ids(0);
    const auto dy = c.dout(0);
    const Real scale = Real(c.template get<EmbeddingArguments>().scale);
    if (!dtable) return;
    for (std::int64_t r = 0; r < dy.rows; ++r)
      accumulateElementwise<Real>(dtable.rowsFrom(ids[r], 1), scaledBy(scale), dy.rowsFrom(r, 1));
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return c.out(0).size();
  }
};

Op embeddingOp() { return makeOp<EmbeddingKernels>("embedding", "y[r] = scale * table[id[r]]"); }

}  // namespace
}  // namespace tfm::ops::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tfm::ops {

HWY_EXPORT(embeddingOp);
namespace {

using namespace explain;

struct EmbeddingExplained {
  static constexpr std::string_view kOutputs = "y", kInputs = "ids table";
  static std::string sentence(const StepReader& s) {
    return "Each of the " + counted(s.in(0).rows, "token") + " is replaced by its row of " +
           s.inName(1) + ", " + numbers(s.out().cols) + ": a lookup, not a product";
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const double scale = c.template get<EmbeddingArguments>().scale;
    const auto ids = c.ids(0);
    if (!of.gradient) {
      const std::int64_t id = ids[std::size_t(of.row)];
      const StepNumber entry = in(1, id, of.col);
      Explanation e{"y[r, c] = scale * table[ids[r], c]"};
      product(e, c, scale, {entry}, {in(0, of.row, 0)});
      return e;
    }
    Explanation e{"dtable[t, c] = scale * sum of dy[r, c] where ids[r] = t"};
    for (std::int64_t r = 0; r < std::ssize(ids); ++r)
      if (ids[std::size_t(r)] == of.row) product(e, c, scale, {d(out(0, r, of.col))});
    return e;
  }
};

}  // namespace

const Op kEmbedding = explained<EmbeddingExplained>(
    cpu::onTargets([](KernelSet) { return HWY_DYNAMIC_DISPATCH(embeddingOp)(); }));

TensorId embedding(ProgramBuilder& b, const std::string& path, TensorId ids, TensorId table,
                   double scale) {
  check(b.tensor(ids).role == Role::Ids, "embedding: ids is a tensor of integers");
  const TensorId y = b.activation(path, b.tensor(ids).rows, b.tensor(table).cols);
  b.append({&kEmbedding, path, {ids, table}, {y}, EmbeddingArguments{scale}});
  return y;
}

}  // namespace tfm::ops
#endif

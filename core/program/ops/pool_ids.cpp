// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/program/ops/op_description.h"
#include "core/program/ops/ops.h"
#include "core/program/ops/pooling_windows.h"

namespace tfm::ops {
namespace {

struct PoolIdsKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto ids = c.ids(0);
    const auto& [sequence, kind] = c.template get<IdPoolArguments>();
    const auto pool = [&](std::int64_t row, std::int64_t first, std::int64_t count) {
      const auto window =
          ids.subspan(std::size_t(first), std::size_t(kind == IdPooling::First ? 1 : count));
      c.indices[std::size_t(row)] = kind == IdPooling::Max ? *std::ranges::max_element(window)
                                                           : *std::ranges::min_element(window);
    };
    overWindows(sequence, std::int64_t(c.indices.size()), pool);
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>&) {
    return 0;
  }
};

using namespace explain;

struct PoolIdsExplained {
  static constexpr std::string_view kOutputs = "y", kInputs = "x";
  static std::string sentence(const StepReader& s) {
    return "What is known of " + counted(s.in(0).rows, "position") + " is handed on to the " +
           std::to_string(s.out().rows) + " that hold them";
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const auto& [sequence, kind] = c.template get<IdPoolArguments>();
    Explanation e{"y[t] = minimum, maximum or first of x[2t], x[2t + 1]"};
    e.rule = kind == IdPooling::Max ? Explanation::Rule::Largest : Explanation::Rule::Smallest;
    overWindow(sequence, of.row, [&](std::int64_t, std::int64_t first, std::int64_t count) {
      for (std::int64_t r = first; r < first + (kind == IdPooling::First ? 1 : count); ++r)
        product(e, c, 1, {in(0, r, 0)});
    });
    return e;
  }
};

}  // namespace

// What is 1 for padding is pooled by its minimum: a pooled position is padding if all that it holds
// is (official code). The transformers package takes the maximum: it pools by its minimum what is 1
// for real positions.
const Op kPoolIds = explained<PoolIdsExplained>(makeForwardOp<PoolIdsKernels>(
    "pool integers", "y[t] = minimum, maximum or first of x[2t], x[2t + 1]; [CLS] by itself"));

TensorId poolIds(ProgramBuilder& b, const std::string& path, TensorId ids,
                 const SequencePooling& sequence, IdPooling kind) {
  const TensorInfo t = b.tensor(ids);
  check(t.role == Role::Ids && sequence.length >= 1 && t.rows % sequence.length == 0,
        "pool integers: one a position of whole sequences");
  const TensorId y = b.ids(path, t.rows / sequence.length * sequence.pooledLength());
  b.append({&kPoolIds, path, {ids}, {y}, IdPoolArguments{sequence, kind}});
  return y;
}

}  // namespace tfm::ops

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/batch_inputs.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/model/build_program.h"

namespace tfm {
namespace {

/// The part of a batch's list that belongs to sequences first ... first + count.
template <class Element>
std::span<const Element> part(const std::vector<Element>& all, std::int64_t batch_size,
                              std::int64_t first, std::int64_t count) {
  if (all.empty()) return {};
  const std::int64_t each = std::int64_t(all.size()) / batch_size;
  return std::span(all).subspan(std::size_t(first * each), std::size_t(count * each));
}

template <class Real, class Element>
void setIds(Executor<Real>& executor, std::string_view name, std::span<const Element> from) {
  const TensorId id = executor.program().find(name);
  if (id == kNoTensor) return;
  const auto to = executor.ids(id);
  check(from.empty() || from.size() == to.size(), "a batch fits the program it is given to");
  std::fill(std::copy(from.begin(), from.end(), to.begin()), to.end(), 0);
}

template <class Real, class Element>
void setNumbers(Executor<Real>& executor, std::string_view name, std::span<const Element> from) {
  const TensorId id = executor.program().find(name);
  if (id == kNoTensor) return;
  const MatrixView<Real> to = executor.values(id);
  const std::int64_t cols = std::int64_t(from.size()) / to.rows;
  check(cols <= to.cols, "features are at most as wide as the model reads");
  for (std::int64_t r = 0; r < to.rows; ++r)
    for (std::int64_t c = 0; c < to.cols; ++c)
      to.at(r, c) = c < cols ? Real(from[std::size_t(r * cols + c)]) : Real(0);
}

}  // namespace

template <class Real>
void setInputs(Executor<Real>& executor, const Batch& b, std::int64_t first) {
  const std::int64_t count = executor.program().shape.sequences;
  check(first >= 0 && first + count <= b.size, "a program's part lies inside the batch");
  const auto of = [&](const auto& all) { return part(all, b.size, first, count); };
  setIds(executor, names::kSourceIds, of(b.source));
  setIds(executor, names::kSourcePad, of(b.source_pad));
  setIds(executor, names::kTargetIds, of(b.target));
  setIds(executor, names::kTargetPad, of(b.target_pad));
  setIds(executor, names::kLabels, of(b.labels));
  setNumbers(executor, names::kSourceFeatures, of(b.source_features));
  setNumbers(executor, names::kMemory, of(b.memory));
  setNumbers(executor, names::kLabelWeights, of(b.label_weights));
  setNumbers(executor, names::kLabelFeatures, of(b.label_features));
}

template void setInputs(Executor<float>&, const Batch&, std::int64_t);
template void setInputs(Executor<double>&, const Batch&, std::int64_t);

}  // namespace tfm

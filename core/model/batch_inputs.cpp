// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/batch_inputs.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "core/base/check.h"
#include "core/model/build_program.h"

namespace tfm {
namespace {

/// The elements of sequences first to first + count - 1 in an array of a batch.
template <class Element>
std::span<const Element> part(const std::vector<Element>& all, std::int64_t batch_size,
                              std::int64_t first, std::int64_t count) {
  if (all.empty()) return {};
  const std::int64_t each = std::int64_t(all.size()) / batch_size;
  return std::span(all).subspan(std::size_t(first * each), std::size_t(count * each));
}

/// Uploads part of a batch to the tensor `name`, if there is one. Rows that are narrower than the
/// tensor, or missing, are padded with zeros.
template <class Number, class Real, class Element>
void set(Executor<Real>& executor, std::string_view name, std::span<const Element> from) {
  const TensorId id = executor.program().find(name);
  if (id == kNoTensor) return;
  const TensorInfo& to = executor.program().tensors[std::size_t(id)];
  const std::int64_t cols = std::int64_t(from.size()) / to.rows;
  check(cols <= to.cols && cols * to.rows == std::int64_t(from.size()),
        "the batch fits the program");
  if constexpr (std::is_same_v<Number, Element>)
    if (cols == to.cols) return executor.upload(id, from);
  thread_local std::vector<Number> numbers;
  numbers.assign(std::size_t(to.rows * to.cols), Number(0));
  for (std::int64_t r = 0; r < to.rows; ++r)
    std::copy_n(from.begin() + r * cols, cols, numbers.begin() + r * to.cols);
  executor.upload(id, std::span<const Number>(numbers));
}

/// Uploads tokens as one-hot rows to the tensor `name`, if there is one.
template <class Real>
void setOneHot(Executor<Real>& executor, std::string_view name, std::span<const std::int32_t> ids) {
  const TensorId id = executor.program().find(name);
  if (id == kNoTensor) return;
  const TensorInfo& to = executor.program().tensors[std::size_t(id)];
  check(std::ssize(ids) == to.rows, "the batch fits the program");
  thread_local std::vector<Real> numbers;
  numbers.assign(std::size_t(to.rows * to.cols), Real(0));
  for (std::int64_t r = 0; r < to.rows; ++r) {
    const std::int64_t token = ids[std::size_t(r)];
    check(token >= 0 && token < to.cols, "the memory has a column for each token");
    numbers[std::size_t(r * to.cols + token)] = Real(1);
  }
  executor.upload(id, std::span<const Real>(numbers));
}

}  // namespace

template <class Real>
void setInputs(Executor<Real>& executor, const Batch& b, std::int64_t first) {
  const std::int64_t count = executor.program().shape.sequences;
  check(first >= 0 && first + count <= b.size, "the program's sequences lie in the batch");
  const auto of = [&](const auto& all) { return part(all, b.size, first, count); };
  set<std::int32_t>(executor, names::kSourceIds, of(b.source));
  set<std::int32_t>(executor, names::kSourcePad, of(b.source_pad));
  set<std::int32_t>(executor, names::kTargetIds, of(b.target));
  set<std::int32_t>(executor, names::kTargetPad, of(b.target_pad));
  set<std::int32_t>(executor, names::kLabels, of(b.labels));
  set<Real>(executor, names::kSourceFeatures, of(b.source_features));
  if (b.memory.empty() && !b.source.empty())
    setOneHot(executor, names::kMemory, of(b.source));
  else
    set<Real>(executor, names::kMemory, of(b.memory));
  set<Real>(executor, names::kLabelWeights, of(b.label_weights));
  set<Real>(executor, names::kLabelFeatures, of(b.label_features));
}

template void setInputs(Executor<float>&, const Batch&, std::int64_t);
template void setInputs(Executor<double>&, const Batch&, std::int64_t);

}  // namespace tfm

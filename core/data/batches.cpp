// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/batches.h"

#include <vector>

#include "core/base/check.h"

namespace tfm::data {
namespace {

constexpr std::uint64_t kEvaluationSeed = 0;

Batch batchOf(const Task& task, Framing framing, Split split, std::uint64_t seed,
              std::uint64_t first, std::int64_t count) {
  check(count > 0, "a batch has at least one example");
  std::vector<Example> examples;
  examples.reserve(static_cast<std::size_t>(count));
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(count); ++i)
    examples.push_back(task.example(split, seed, first + i));
  return frame(task, framing, examples);
}

}  // namespace

Batch trainingBatch(const Task& task, Framing framing, std::uint64_t seed, std::uint64_t step,
                    std::int64_t batch_size) {
  const std::uint64_t first = step * static_cast<std::uint64_t>(batch_size);
  return batchOf(task, framing, Split::Training, seed, first, batch_size);
}

Batch evaluationBatch(const Task& task, Framing framing, std::uint64_t first, std::int64_t count) {
  return batchOf(task, framing, Split::Evaluation, kEvaluationSeed, first, count);
}

}  // namespace tfm::data

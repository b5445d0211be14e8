// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/batches.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/data/permutation.h"

namespace tfm::data {
namespace {

constexpr std::uint64_t kWindow = 8;     // batches whose examples are sorted by length together
constexpr std::int64_t kLengthStep = 8;  // few different lengths, so that programs are reused

/// Whether batches may differ in length.
bool isBucketed(const TextCodec& codec, Framing framing) {
  return framing == Framing::Classes || codec.form() == TaskForm::Masked;
}

std::int64_t lengthOf(const Example& example) { return std::ssize(example.source); }

std::vector<Example> examplesOf(const Task& task, Split split, std::uint64_t seed,
                                std::uint64_t first, std::uint64_t count) {
  std::vector<Example> examples;
  examples.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i)
    examples.push_back(task.example(split, seed, first + i));
  return examples;
}

/// Splits the training examples into batches, epoch by epoch. A task with generated examples has
/// one endless epoch.
class Epochs {
 public:
  Epochs(std::int64_t examples, std::int64_t batch_size)
      : examples_(static_cast<std::uint64_t>(examples)),
        batch_size_(static_cast<std::uint64_t>(batch_size)),
        batches_(examples == 0 ? std::numeric_limits<std::uint64_t>::max()
                               : (examples_ + batch_size_ - 1) / batch_size_) {}

  std::uint64_t batches() const { return batches_; }
  /// The index of the first example of a batch. The batches of an epoch have (nearly) equal sizes.
  std::uint64_t begin(std::uint64_t epoch, std::uint64_t batch) const {
    if (examples_ == 0) return batch * batch_size_;
    return epoch * examples_ + batch * examples_ / batches_;
  }

 private:
  std::uint64_t examples_;
  std::uint64_t batch_size_;
  std::uint64_t batches_;
};

/// A batch of examples of similar length: the examples of several batches are sorted and split
/// again, and the batches shuffled.
Batch bucketedBatch(const Task& task, Framing framing, std::uint64_t seed, std::uint64_t step,
                    std::int64_t batch_size) {
  const Epochs epochs(task.exampleCount(Split::Training), batch_size);
  const std::uint64_t epoch = step / epochs.batches();
  const std::uint64_t batch = step % epochs.batches();
  const std::uint64_t first = batch / kWindow * kWindow;
  const std::uint64_t end = std::min(first + kWindow, epochs.batches());
  const auto begin_of = [&](std::uint64_t at) { return epochs.begin(epoch, at); };
  std::vector<Example> examples =
      examplesOf(task, Split::Training, seed, begin_of(first), begin_of(end) - begin_of(first));
  std::stable_sort(examples.begin(), examples.end(),
                   [](const Example& a, const Example& b) { return lengthOf(a) < lengthOf(b); });
  const Permutation order(static_cast<std::int64_t>(end - first), seed, step - (batch - first),
                          streams::kWindow.first);
  const auto chosen =
      first + static_cast<std::uint64_t>(order(static_cast<std::int64_t>(batch - first)));
  return batchOf(task, framing,
                 std::span(examples).subspan(begin_of(chosen) - begin_of(first),
                                             begin_of(chosen + 1) - begin_of(chosen)));
}

}  // namespace

std::int64_t sourceLength(const TextCodec& codec, Framing framing, std::int64_t longest) {
  if (framing == Framing::NextToken) return 0;
  if (framing == Framing::Numbers || framing == Framing::States) return longest;
  if (!isBucketed(codec, framing)) return codec.maxSourceLength();
  const std::int64_t steps = (std::max<std::int64_t>(longest, 1) + kLengthStep - 1) / kLengthStep;
  return std::min(steps * kLengthStep, codec.maxSourceLength());
}

Batch batchOf(const TextCodec& codec, Framing framing, std::span<const Example> examples) {
  std::int64_t longest = 0;
  for (const Example& example : examples) longest = std::max(longest, lengthOf(example));
  const auto shorter = [&](const Example& example) { return lengthOf(example) < longest; };
  if (framing == Framing::Numbers && std::ranges::any_of(examples, shorter))
    throw Error("the questions have different lengths", "batch",
                "Questions that are answered with numbers have one length in a batch");
  return frame(codec, framing, examples, sourceLength(codec, framing, longest));
}

Batch trainingBatch(const Task& task, Framing framing, std::uint64_t seed, std::uint64_t step,
                    std::int64_t batch_size) {
  check(batch_size > 0, "a batch has at least one example");
  if (isBucketed(task, framing)) return bucketedBatch(task, framing, seed, step, batch_size);
  const auto count = static_cast<std::uint64_t>(batch_size);
  return batchOf(task, framing, examplesOf(task, Split::Training, seed, step * count, count));
}

std::int64_t stepsOfEpochs(const Task& task, Framing framing, double epochs,
                           std::int64_t batch_size) {
  const std::int64_t examples = task.exampleCount(Split::Training);
  if (examples == 0) return 0;
  double steps = double(examples) / double(batch_size);  // of one epoch
  if (isBucketed(task, framing)) steps = std::ceil(steps);
  return std::max<std::int64_t>(1, std::int64_t(std::ceil(epochs * steps - 1e-9)));
}

std::int64_t evaluationCount(const Task& task, std::int64_t max_count) {
  const std::int64_t stored = task.exampleCount(Split::Evaluation);
  return stored == 0 ? max_count : std::min(max_count, stored);
}

std::vector<std::uint64_t> evaluationOrder(const Task& task, Framing framing, std::int64_t count) {
  std::vector<std::uint64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  if (!isBucketed(task, framing)) return order;
  std::vector<std::int64_t> lengths;
  for (const std::uint64_t number : order)
    lengths.push_back(lengthOf(task.example(Split::Evaluation, kEvaluationSeed, number)));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return lengths[a] < lengths[b]; });
  return order;
}

Batch evaluationBatch(const Task& task, Framing framing, std::span<const std::uint64_t> numbers) {
  check(!numbers.empty(), "a batch has at least one example");
  std::vector<Example> examples;
  examples.reserve(numbers.size());
  for (const std::uint64_t number : numbers)
    examples.push_back(task.example(Split::Evaluation, kEvaluationSeed, number));
  return batchOf(task, framing, examples);
}

Batch evaluationBatch(const Task& task, Framing framing, std::uint64_t first, std::int64_t count) {
  check(count > 0, "a batch has at least one example");
  std::vector<std::uint64_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), first);
  return evaluationBatch(task, framing, numbers);
}

}  // namespace tfm::data

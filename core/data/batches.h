// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/data/framing.h"

namespace tfm::data {

/// The batch of a training step (from 0). A pure function of its arguments, so that training
/// resumed at a step continues with the same data. Examples step * batch_size and following; but
/// where the answer is a class, batches are of examples of similar length and only as long as the
/// longest one needs, rounded up to a multiple of 8: the examples of up to 8 batches are sorted by
/// length and cut anew, and the batches come in a random order. Stored examples are cut epoch by
/// epoch, each into batches of equal size, or nearly, none larger than batch_size: every example
/// comes once an epoch.
Batch trainingBatch(const Task& task, Framing framing, std::uint64_t seed, std::uint64_t step,
                    std::int64_t batch_size);

/// Evaluation examples are drawn from this seed, whatever that of the training.
inline constexpr std::uint64_t kEvaluationSeed = 0;

/// How many evaluation examples there are, but not more than `most`.
std::int64_t evaluationCount(const Task& task, std::int64_t most);

/// Evaluation examples `first` ... first+count-1, the same for every training seed. Stored ones are
/// repeated past Task::exampleCount(). Where the answer is a class, only as long as they need.
Batch evaluationBatch(const Task& task, Framing framing, std::uint64_t first, std::int64_t count);

/// The numbers of the first `count` evaluation examples in the order that is fastest to measure in
/// batches: by length where the answer is a class.
std::vector<std::uint64_t> evaluationOrder(const Task& task, Framing framing, std::int64_t count);
/// The evaluation examples with these numbers.
Batch evaluationBatch(const Task& task, Framing framing, std::span<const std::uint64_t> numbers);

}  // namespace tfm::data

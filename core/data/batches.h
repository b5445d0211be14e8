// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/data/framing.h"

namespace tfm::data {

/// The positions that a batch has for questions of up to `longest` tokens (0: without an encoder).
/// The longest of the task's (TextCodec::maxSourceLength()), but where the answer is a class or
/// hidden tokens `longest` rounded up to a multiple of 8, and where it is numbers, or there is
/// none, `longest`.
std::int64_t sourceLength(const TextCodec& codec, Framing framing, std::int64_t longest);

/// The batch of these examples alone, as training and evaluation have it; see frame(). Throws Error
/// for answers of numbers to questions of different lengths.
Batch batchOf(const TextCodec& codec, Framing framing, std::span<const Example> examples);

/// The batch of training step `step` (from 0). A pure function of its arguments, so that resumed
/// training continues with the same data. Contains the examples from step * batch_size on, unless
/// the answer is a class or hidden tokens: then batches contain examples of similar length and are
/// padded to the longest, rounded up to a multiple of 8. For this, the examples of up to 8 batches
/// are sorted by length and split again, and the batches are shuffled. Stored examples are split
/// epoch by epoch into batches of (nearly) equal size, at most batch_size, so that each comes once
/// per epoch.
Batch trainingBatch(const Task& task, Framing framing, std::uint64_t seed, std::uint64_t step,
                    std::int64_t batch_size);

/// The training steps of `epochs` passes over the stored examples, rounded up; 0 if examples are
/// generated.
std::int64_t stepsOfEpochs(const Task& task, Framing framing, double epochs,
                           std::int64_t batch_size);

/// The seed of evaluation examples, independent of the training seed.
inline constexpr std::uint64_t kEvaluationSeed = 0;

/// The number of evaluation examples, at most `max_count`.
std::int64_t evaluationCount(const Task& task, std::int64_t max_count);

/// Evaluation examples `first` to first + count - 1, the same for every training seed. Stored
/// examples repeat after Task::exampleCount(). If the answer is a class, padded as in
/// trainingBatch().
Batch evaluationBatch(const Task& task, Framing framing, std::uint64_t first, std::int64_t count);

/// The indices of the first `count` evaluation examples in the order fastest to evaluate in
/// batches: by length if the answer is a class.
std::vector<std::uint64_t> evaluationOrder(const Task& task, Framing framing, std::int64_t count);
/// The evaluation examples at these indices.
Batch evaluationBatch(const Task& task, Framing framing, std::span<const std::uint64_t> indices);

}  // namespace tfm::data

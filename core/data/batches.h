// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/data/framing.h"

namespace tfm::data {

/// The batch of a training step (from 0): examples step * batch_size and following. A pure function
/// of its arguments, so that training resumed at a step continues with the same data.
Batch trainingBatch(const Task& task, Framing framing, std::uint64_t seed, std::uint64_t step,
                    std::int64_t batch_size);

/// Evaluation examples `first` ... first+count-1, the same for every training seed. Stored ones are
/// repeated past Task::exampleCount().
Batch evaluationBatch(const Task& task, Framing framing, std::uint64_t first, std::int64_t count);

}  // namespace tfm::data

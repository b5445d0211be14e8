// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/backend/op_arguments.h"

namespace tfm::ops {

/// Calls work(pooled row, first of its rows, their number).
template <class Work>
void overWindow(const SequencePooling& sequence, std::int64_t row, const Work& work) {
  const std::int64_t pooled = sequence.pooledLength();
  work(row, row / pooled * sequence.length + sequence.first(row % pooled),
       sequence.count(row % pooled));
}

/// The same for each pooled row of whole sequences.
template <class Work>
void overWindows(const SequencePooling& sequence, std::int64_t rows, const Work& work) {
  for (std::int64_t row = 0; row < rows; ++row) overWindow(sequence, row, work);
}

}  // namespace tfm::ops

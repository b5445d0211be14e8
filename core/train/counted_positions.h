// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/model/batch.h"

namespace tfm::train {

/// The labels with weight in the loss of a batch, or the numbers that it compares.
inline std::int64_t weightedLabels(const Batch& batch) {
  if (!batch.label_features.empty()) return std::int64_t(batch.label_features.size());
  return std::count_if(batch.label_weights.begin(), batch.label_weights.end(),
                       [](float weight) { return weight > 0.0F; });
}

/// Calls visit(row, label) for each position of a sequence that is part of its answer: those with
/// weight, up to and including the first `pad_label` (-1: all). `row` indexes the batch's labels.
template <class Visit>
void forEachCounted(const Batch& batch, std::int64_t sequence, std::int32_t pad_label,
                    const Visit& visit) {
  const std::int64_t length = std::int64_t(batch.labels.size()) / batch.size;
  for (std::int64_t row = sequence * length; row < (sequence + 1) * length; ++row) {
    if (batch.label_weights[std::size_t(row)] == 0.0F) continue;
    const std::int32_t label = batch.labels[std::size_t(row)];
    visit(row, label);
    if (label == pad_label) break;
  }
}

}  // namespace tfm::train

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/model_state.h"
#include "core/program/used_parameters.h"

namespace tfm::train {

/// Calls work(first, end, steps) for each part of [first, end) whose entries have missed the same
/// number of steps.
template <class Work>
void forEachMissedRun(std::span<const MissedSteps> missed, std::int64_t first, std::int64_t end,
                      const Work& work) {
  const auto ends_after = [](std::int64_t at, const MissedSteps& run) {
    return at < run.first + run.count;
  };
  auto run = std::upper_bound(missed.begin(), missed.end(), first, ends_after);
  for (; run != missed.end() && run->first < end; ++run) {
    const std::int64_t from = std::max(first, run->first);
    const std::int64_t to = std::min(end, run->first + run->count);
    if (first < from) work(first, from, 0);
    work(from, to, run->steps);
    first = to;
  }
  if (first < end) work(first, end, 0);
}

/// Counts one more missed step for all of `total` entries except those in `used`.
void addMissedStep(std::vector<MissedSteps>& missed, std::span<const EntryRun> used,
                   std::int64_t total);

}  // namespace tfm::train

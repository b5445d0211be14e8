// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/missed_steps.h"

#include <utility>

namespace tfm::train {

void addMissedStep(std::vector<MissedSteps>& missed, std::span<const EntryRun> used,
                   std::int64_t total) {
  if (used.size() == 1 && used.front() == EntryRun{0, total}) return;
  std::vector<MissedSteps> after;
  after.reserve(missed.size() + used.size() + 1);
  const auto add = [&](std::int64_t first, std::int64_t end, std::int64_t steps) {
    appendRun(after, {first, end - first, steps});
  };
  std::int64_t at = 0;
  const auto left_out = [&](std::int64_t end) {
    if (at < end)
      forEachMissedRun(missed, at, end, [&](std::int64_t f, std::int64_t e, std::int64_t steps) {
        add(f, e, steps + 1);
      });
  };
  for (const EntryRun& run : used) {
    left_out(run.first);
    at = run.first + run.count;
    forEachMissedRun(missed, run.first, at, add);
  }
  left_out(total);
  missed = std::move(after);
}

}  // namespace tfm::train

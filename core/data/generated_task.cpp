// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/generated_task.h"

#include <utility>

#include "core/tensor/random_streams.h"

namespace tfm::data {
namespace {

// With at least 1 % of the questions on a side, all attempts fail once in 10^17 examples.
constexpr std::uint64_t kMaxAttempts = 4096;

}  // namespace

Example GeneratedTask::example(Split split, std::uint64_t seed, std::uint64_t index) const {
  const Random random(
      seed,
      (split == Split::Training ? streams::kTrainingExamples : streams::kHeldOutExamples).first,
      index);
  Draw drawn;
  for (std::uint64_t attempt = 0; attempt < kMaxAttempts; ++attempt) {
    drawn = draw(Draws(random, attempt));
    if (drawn.space < kSmallestDivided) break;
    const Ids& key = drawn.key.empty() ? drawn.source : drawn.key;
    if (splitOf(stableHash(key), config().held_out) == split) break;
  }
  Ids target = solve(drawn.source);
  return {std::move(drawn.source), std::move(target)};
}

}  // namespace tfm::data

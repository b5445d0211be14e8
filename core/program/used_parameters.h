// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/program/program.h"

namespace tfm {

/// The part of a parameter that a program reads: its first rows and columns.
struct ParameterWindow {
  TensorId parameter = kNoTensor;
  std::int64_t offset = 0;  ///< of the parameter in the arena of all parameters
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t stride = 0;
};

/// One window for each parameter that steps read, in arena order. If steps read different parts of
/// a parameter, it spans them all.
std::vector<ParameterWindow> usedParameters(const Program& program);

/// Consecutive entries of the arena of all parameters.
struct EntryRun {
  std::int64_t first = 0;
  std::int64_t count = 0;
  bool operator==(const EntryRun&) const = default;
};

/// usedParameters() as sorted runs, adjacent ones merged. The program of a whole model has a single
/// one.
std::vector<EntryRun> usedRuns(const Program& program);
/// The union of both as sorted runs, adjacent ones merged.
std::vector<EntryRun> unionOf(std::span<const EntryRun> a, std::span<const EntryRun> b);

/// Splits the runs into sorted stretches of the arena with `most` entries of the runs in each and
/// the remainder in the last: equal pieces of work however little of the arena is used.
std::vector<EntryRun> stretches(std::span<const EntryRun> runs, std::int64_t most);

/// Calls work(first, count) for the part of each run in [first, end).
template <class Work>
void forEachRunIn(std::span<const EntryRun> runs, std::int64_t first, std::int64_t end,
                  const Work& work) {
  const auto ends_before = [](const EntryRun& run, std::int64_t at) {
    return run.first + run.count <= at;
  };
  auto run = std::lower_bound(runs.begin(), runs.end(), first, ends_before);
  for (; run != runs.end() && run->first < end; ++run) {
    const std::int64_t from = std::max(first, run->first);
    work(from, std::min(end, run->first + run->count) - from);
  }
}

}  // namespace tfm

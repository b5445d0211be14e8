// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/used_parameters.h"

#include <iterator>
#include <map>

#include "core/base/check.h"

namespace tfm {
namespace {

/// Calls work(first, count) for the entries of each row; once if they are contiguous.
template <class Work>
void overRows(const ParameterWindow& window, const Work& work) {
  if (window.cols == window.stride) return work(window.offset, window.rows * window.cols);
  for (std::int64_t row = 0; row < window.rows; ++row)
    work(window.offset + row * window.stride, window.cols);
}

/// Appends a run that does not begin before the last one.
void append(std::vector<EntryRun>& runs, const EntryRun& run) {
  if (runs.empty() || runs.back().first + runs.back().count < run.first) return runs.push_back(run);
  EntryRun& last = runs.back();
  last.count = std::max(last.first + last.count, run.first + run.count) - last.first;
}

}  // namespace

std::vector<ParameterWindow> usedParameters(const Program& program) {
  std::map<std::int64_t, ParameterWindow> by_offset;
  for (const Step& step : program.steps)
    for (const TensorId id : step.inputs) {
      if (id == kNoTensor) continue;
      const TensorInfo& t = program.tensors[std::size_t(id)];
      if (t.role != Role::Parameter) continue;
      ParameterWindow& window = by_offset[t.offset];
      window = {t.window_of == kNoTensor ? id : t.window_of, t.offset,
                std::max(window.rows, t.rows), std::max(window.cols, t.cols), t.stride};
    }
  std::vector<ParameterWindow> windows;
  for (const auto& [offset, window] : by_offset) windows.push_back(window);
  return windows;
}

std::vector<EntryRun> usedRuns(const Program& program) {
  std::vector<EntryRun> runs;
  for (const ParameterWindow& window : usedParameters(program))
    overRows(window, [&](std::int64_t first, std::int64_t count) { append(runs, {first, count}); });
  return runs;
}

std::vector<EntryRun> unionOf(std::span<const EntryRun> a, std::span<const EntryRun> b) {
  std::vector<EntryRun> all;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all),
             [](const EntryRun& x, const EntryRun& y) { return x.first < y.first; });
  std::vector<EntryRun> runs;
  for (const EntryRun& run : all) append(runs, run);
  return runs;
}

std::vector<EntryRun> stretches(std::span<const EntryRun> runs, std::int64_t most) {
  check(most > 0, "a stretch has entries");
  std::vector<EntryRun> all;
  std::int64_t room = 0;
  for (EntryRun run : runs)
    while (run.count > 0) {
      if (room == 0) {
        all.push_back({run.first, 0});
        room = most;
      }
      const std::int64_t taken = std::min(room, run.count);
      all.back().count = run.first + taken - all.back().first;
      run = {run.first + taken, run.count - taken};
      room -= taken;
    }
  return all;
}

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_state.h"

#include <algorithm>

#include "core/model/build_program.h"

namespace tfm {

ModelState initialState(const ModelConfig& config, std::uint64_t seed) {
  ModelState state;
  state.config = config;
  state.layout = parameterLayout(config);
  initialize(state.layout, seed, state.parameters);
  state.first_moment.assign(state.parameters.size(), 0.0F);
  state.second_moment.assign(state.parameters.size(), 0.0F);
  state.seed = seed;
  return state;
}

std::vector<std::int64_t> missedByEntry(const ModelState& state) {
  std::vector<std::int64_t> missed(std::size_t(state.layout.total), 0);
  for (const MissedSteps& run : state.missed_steps)
    std::fill_n(missed.begin() + run.first, run.count, run.steps);
  return missed;
}

std::vector<MissedSteps> missedRuns(std::span<const std::int64_t> by_entry) {
  std::vector<MissedSteps> runs;
  for (std::size_t i = 0; i < by_entry.size(); ++i)
    appendRun(runs, {std::int64_t(i), 1, by_entry[i]});
  return runs;
}

void appendRun(std::vector<MissedSteps>& runs, const MissedSteps& run) {
  if (run.steps == 0) return;
  const bool goes_on = !runs.empty() && runs.back().steps == run.steps &&
                       runs.back().first + runs.back().count == run.first;
  if (goes_on)
    runs.back().count += run.count;
  else
    runs.push_back(run);
}

void forgetMoments(ModelState& state) {
  state.first_moment = {};
  state.second_moment = {};
  state.missed_steps.clear();
  state.optimizer_step = 0;
}

std::int64_t byteCount(const ModelState& state) {
  const std::size_t numbers =
      state.parameters.size() + state.first_moment.size() + state.second_moment.size();
  return std::int64_t(numbers * sizeof(float) + state.missed_steps.size() * sizeof(MissedSteps));
}

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/used_parameters.h"

#include <map>

namespace tfm {

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
  const auto add = [&](std::int64_t first, std::int64_t count) {
    if (!runs.empty() && runs.back().first + runs.back().count == first)
      runs.back().count += count;
    else
      runs.push_back({first, count});
  };
  for (const ParameterWindow& w : usedParameters(program))
    for (std::int64_t row = 0; row < w.rows; ++row) add(w.offset + row * w.stride, w.cols);
  return runs;
}

}  // namespace tfm

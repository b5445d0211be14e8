// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_state.h"

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

std::int64_t byteCount(const ModelState& state) {
  const std::size_t numbers =
      state.parameters.size() + state.first_moment.size() + state.second_moment.size();
  return std::int64_t(numbers * sizeof(float) + state.births.size() * sizeof(Birth));
}

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "core/model/model_state.h"

namespace tfm::train {

/// A saved state of a training.
struct Moment {
  std::shared_ptr<const ModelState> state;
  /// Number of events in the history: distinguishes states before and after a change at one step.
  std::int64_t events = 0;
  /// The first state, or one right before or after a change: removed last.
  bool landmark = false;

  std::int64_t step() const { return state->step; }
};

}  // namespace tfm::train

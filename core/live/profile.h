// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/backend/trace_backend.h"

namespace tfm::train {

/// The time that the ops of some training steps took.
struct Profile {
  std::int64_t steps = 0;
  double seconds = 0.0;     ///< from the beginning to the end of each step
  std::vector<OpCost> ops;  ///< the longest time first
  std::string details;      ///< Backend::details()
};

}  // namespace tfm::train

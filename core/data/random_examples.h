// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/data/task.h"

namespace tfm::data {

/// Example `index` (>= 0) of random tokens, for a model without a task: a pure function of its
/// arguments. Questions are at most `longest` tokens long.
Example randomExample(const TextCodec& codec, std::uint64_t index, std::int64_t longest);

}  // namespace tfm::data

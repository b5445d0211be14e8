// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/program/program.h"

namespace tfm::observe {

/// For each position, the positions that it belongs to, in order.
using PositionLinks = std::vector<std::vector<std::int64_t>>;

PositionLinks eachItself(std::int64_t length);

/// The links of what a step writes, from those of what it reads: pooling joins them, up-sampling
/// repeats them and leaves none after the last copy; any other step keeps them.
PositionLinks linksAfter(const Step& step, const PositionLinks& before);

}  // namespace tfm::observe

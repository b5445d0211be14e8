// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/plots/plot_frame.h"

namespace tfm::ui {

/// Whole multiples of 1, 2 or 5 times a power of ten, at most about `count` of them.
std::vector<double> linearTicks(const AxisRange& range, double count);
/// 1, 2 and 5 times the powers of ten; where that is more than `count` the powers alone, or every
/// second or third ... of them, but never fewer than two. Linear ticks in a range so narrow that
/// fewer than two of those lie in it. range.low > 0.
std::vector<double> logarithmicTicks(const AxisRange& range, double count);

}  // namespace tfm::ui

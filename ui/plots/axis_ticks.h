// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/plots/plot_frame.h"

namespace tfm::ui {

/// Multiples of 1, 2 or 5 times a power of ten, at most about `count`.
std::vector<double> linearTicks(const AxisRange& range, double count);
/// 1, 2 and 5 times the powers of ten; if there are more than `count`, only the powers, or every
/// second or third ... of them, but at least two. Linear ticks if the range contains fewer than two
/// of those. Requires range.low > 0.
std::vector<double> logarithmicTicks(const AxisRange& range, double count);

}  // namespace tfm::ui

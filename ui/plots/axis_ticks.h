// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/plots/plot_frame.h"

namespace tfm::ui {

/// Whole multiples of 1, 2 or 5 times a power of ten, at most about `count` of them.
std::vector<double> linearTicks(const AxisRange& range, double count);
/// 1, 2 and 5 times the powers of ten, or the powers alone where the range is wide.
std::vector<double> logarithmicTicks(const AxisRange& range);

}  // namespace tfm::ui

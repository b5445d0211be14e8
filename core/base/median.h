// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace tfm {

/// The median of at least one value; the upper of the two middle values for an even count.
double median(std::vector<double> values);

}  // namespace tfm

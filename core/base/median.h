// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace tfm {

/// The middle one of the values in order; of an even number the upper middle one. There is at least
/// one.
double median(std::vector<double> values);

}  // namespace tfm

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace tfm {

/// Sinusoidal positions (Vaswani et al. 2017, section 3.5), row-major length x width:
/// P(i, 2j) = sin(i / 10000^(2j / base)), P(i, 2j + 1) = cos of the same angle for columns below
/// `base`, so that a grown model keeps its frequencies. Columns from `base` on are 0 or, with
/// `repeats`, column j equals column j mod base. `base` is even and at most width. `halves`: the
/// sines of all angles come before the cosines, P(i, j) and P(i, base / 2 + j).
std::vector<double> sinusoid(std::int64_t length, std::int64_t width, std::int64_t base,
                             bool repeats = false, bool halves = false);

}  // namespace tfm

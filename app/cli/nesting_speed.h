// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "app/cli/experiment.h"

namespace tfm::cli {

/// What training nested submodels takes, in steps of models that have the sizes of these submodels
/// and nothing nested.
struct NestingSpeed {
  double sampled = 0.0;  ///< a step on the smallest, in steps of that size
  double joint = 0.0;    ///< a joint step, in the sum of one step of each size
};

/// Of the usual widths: the median of the ratios that `rounds` turns give.
NestingSpeed nestingSpeed(const Experiment& experiment, std::int64_t rounds, int threads);

}  // namespace tfm::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "app/cli/experiment.h"

namespace tfm::cli {

/// The cost of training nested submodels, relative to separate models of the same sizes.
struct NestingSpeed {
  double sampled = 0.0;  ///< a step of the smallest submodel / a step of a model of its size
  double joint = 0.0;    ///< a joint step / the sum of one step of each size
};

/// Measures the default widths: medians of the ratios of `rounds` rounds.
NestingSpeed nestingSpeed(const Experiment& experiment, std::int64_t rounds, int threads);

}  // namespace tfm::cli

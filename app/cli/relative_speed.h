// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "app/cli/experiment.h"

namespace tfm::cli {

/// The cost of training nested submodels, relative to separate models of the same sizes.
struct NestingSpeed {
  double sampled = 0.0;  ///< a step of the smallest submodel / a step of a model of its size
  double joint = 0.0;    ///< a joint step / the sum of one step of each size
};

/// Measures the default widths: medians of the ratios of `rounds` rounds.
NestingSpeed nestingSpeed(const Experiment& experiment, std::int64_t rounds, int threads);

/// The cost of an attention of some lengths in a training step, forward and backward and with its
/// scores by distance, relative to the one whose queries and keys have the whole length.
struct PooledAttention {
  std::int64_t queries = 0, keys = 0;
  double time = 0.0;        ///< measured; the median of the steps
  double operations = 0.0;  ///< by the formulas of the cost table
};

/// Measures the attentions of a Funnel-Transformer for `steps` steps, the longest first and without
/// the unpooled one.
std::vector<PooledAttention> pooledAttentions(const Experiment& experiment, std::int64_t steps,
                                              int threads);

}  // namespace tfm::cli

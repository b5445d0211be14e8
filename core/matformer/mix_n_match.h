// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/matformer/nesting.h"

namespace tfm::matformer {

/// Mix'n'Match (Devvrit et al. 2023, section 3.3): submodels with a different granularity in each
/// layer, not trained as such. `granularities`: those of the model, smallest first, at least one.

/// The largest submodel with at most `parameters` parameters among slopes(), the heuristic of the
/// paper. The smallest granularity if even that is larger.
Submodel withinBudget(const ModelConfig& config, const std::vector<Granularity>& granularities,
                      std::int64_t parameters);

/// All submodels whose widths do not decrease with depth and whose layers have at most two adjacent
/// granularities, smallest first: (granularities - 1) * layers + 1.
std::vector<Submodel> slopes(const ModelConfig& config,
                             const std::vector<Granularity>& granularities);

/// `count` distinct submodels with a random granularity in each layer; fewer if there are no more.
std::vector<Submodel> randomMixes(const ModelConfig& config,
                                  const std::vector<Granularity>& granularities, std::int64_t count,
                                  std::uint64_t seed);

/// All choices of one granularity per layer, granularities ^ layers; empty if there are more than
/// `most`.
std::vector<Submodel> everyMix(const ModelConfig& config,
                               const std::vector<Granularity>& granularities, std::int64_t most);

/// The name of the whole model, with any granularities.
inline constexpr std::string_view kWholeName = "all";

/// The submodel that a text names: a granularity ("S"), kWholeName or one width per layer
/// ("8,16,32", with heads "8/2,16/4,32/4"; a single entry applies to all layers). Throws Error
/// listing what there is.
Submodel submodelNamed(const ModelConfig& config, const std::vector<Granularity>& granularities,
                       std::string_view text);

/// "S" if it is one of the granularities, otherwise its widths and, unless it has all heads, its
/// heads: "8,16,32" or "8/2,16/4,32/4". The inverse of submodelNamed().
std::string nameOf(const std::vector<Granularity>& granularities, const Submodel& submodel);

}  // namespace tfm::matformer

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/matformer/nesting.h"

namespace tfm::matformer {

/// Mix'n'Match (Devvrit et al., section 3.3): submodels that take a granularity of their own in
/// each layer. They were not trained as such. `granularities`: those of the model, smallest first,
/// at least one.

/// The largest submodel with at most `parameters` parameters among those whose widths do not fall
/// with depth and of which the layers take at most two neighbouring granularities, later layers the
/// larger one: the heuristic of the paper. The smallest granularity where even that is larger.
Submodel withinBudget(const ModelConfig& config, const std::vector<Granularity>& granularities,
                      std::int64_t parameters);

/// All submodels that withinBudget() may give, smallest first: (granularities - 1) * layers + 1.
std::vector<Submodel> slopes(const ModelConfig& config,
                             const std::vector<Granularity>& granularities);

/// `count` different submodels with a drawn granularity in each layer; fewer where there are fewer.
std::vector<Submodel> randomMixes(const ModelConfig& config,
                                  const std::vector<Granularity>& granularities, std::int64_t count,
                                  std::uint64_t seed);

/// Every choice of one granularity a layer, granularities ^ layers; empty where that is more than
/// `most`.
std::vector<Submodel> everyMix(const ModelConfig& config,
                               const std::vector<Granularity>& granularities, std::int64_t most);

/// The name of the whole model, whatever its granularities are.
inline constexpr std::string_view kWholeName = "all";

/// The submodel that a text names: a granularity ("S"), kWholeName or a width a layer ("8,16,32",
/// with heads "8/2,16/4,32/4"; one entry: all layers alike). Throws Error naming what there is.
Submodel submodelNamed(const ModelConfig& config, const std::vector<Granularity>& granularities,
                       std::string_view text);

/// "S" where it is one of the granularities, else its widths and, where it leaves heads out, these:
/// "8,16,32" or "8/2,16/4,32/4". submodelNamed() reads it.
std::string nameOf(const std::vector<Granularity>& granularities, const Submodel& submodel);

}  // namespace tfm::matformer

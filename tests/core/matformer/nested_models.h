// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/matformer/nesting.h"
#include "tests/core/expand/small_models.h"

namespace tfm::test {

/// Small models of every architecture, norm, placement, activation, tying and sharing, with 3 heads
/// and a feed-forward of 7.
std::vector<SmallModel> nestedModels();
SmallModel nestedModel(const std::string& name);

/// Widths 1, 3, 5 and the whole; with `heads` also 1, 2, 2 and all heads.
matformer::Nesting smallNesting(bool heads);

/// The submodels that are tried on these models: the granularities, and a mix of widths and heads.
std::vector<Submodel> triedSubmodels(const ModelConfig& config);

/// The places in the arena that any of the submodels reads.
std::vector<bool> readBy(const ModelConfig& config, const std::vector<Submodel>& submodels);

}  // namespace tfm::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/expand/entries.h"
#include "core/expand/progress.h"
#include "core/expand/recipe.h"

namespace tfm::expand {

/// How each parameter after an expansion is made from those before, by one rule on axis tags
/// (Gesmundo and Maile 2023, table 1).
///   A new entry is zero if any of its new axes requires Added::Zero, otherwise free.
///   Old entries: keys times sqrt(k^ / k), norm gains times sqrt(h / h^).
/// `work` counts parameters. Throws Cancelled.
std::vector<ParameterGrowth> parameterMaps(const ModelConfig& before, const Growth& growth,
                                           const Recipe& recipe, const ParameterLayout& old_layout,
                                           const ParameterLayout& new_layout, Work& work);

}  // namespace tfm::expand

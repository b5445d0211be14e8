// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/expand/entries.h"
#include "core/expand/progress.h"
#include "core/expand/recipe.h"

namespace tfm::expand {

/// How every parameter after is made from those before: the one rule over axis tags (Gesmundo and
/// Maile 2023, table 1).
///   A new entry is zero where any of its new axes says Added::Zero, else free.
///   Old entries: keys times sqrt(k^ / k), norm gains times sqrt(h / h^).
/// Each parameter is one of `work`, which may throw Cancelled.
std::vector<ParameterGrowth> parameterMaps(const ModelConfig& before, const Growth& growth,
                                           const Recipe& recipe, const ParameterLayout& old_layout,
                                           const ParameterLayout& new_layout, Work& work);

}  // namespace tfm::expand

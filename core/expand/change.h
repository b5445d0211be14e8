// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/expand/entries.h"
#include "core/expand/growth.h"
#include "core/expand/progress.h"
#include "core/program/parameter_layout.h"

namespace tfm::expand {

/// The effect of one expansion on a model, planned before any number changes.
struct Change {
  Growth growth;  ///< with automatic methods resolved
  ModelConfig before, after;
  ParameterLayout layout_before, layout_after;
  std::vector<ParameterGrowth> parameters;  ///< in the order of layout_after
  bool exact = true;
  std::string inexact;             ///< why it is not exact; empty if it is
  std::vector<std::string> notes;  ///< side effects, one sentence each
};

/// Plans one expansion. `step`: training steps done, at which a mask begins. Throws Error if the
/// growth does not fit the model or memory, or is inexact without allow_inexact; the hint names
/// exact alternatives.
Change planGrowth(const ModelConfig& before, const Growth& growth, std::int64_t step = 0);

/// Plans a sequence of expansions. Throws Error as planGrowth(), and if they do not fit into memory
/// together, before allocating any; throws Cancelled if `progress` returns false.
std::vector<Change> planGrowths(const ModelConfig& before, const Plan& plan, std::int64_t step = 0,
                                const Progress& progress = {});

/// planGrowth() and planGrowths() without Change::parameters: fast for models of any size. Throws
/// the same errors.
Change outlineGrowth(const ModelConfig& before, const Growth& growth, std::int64_t step = 0);
std::vector<Change> outlineGrowths(const ModelConfig& before, const Plan& plan,
                                   std::int64_t step = 0);

/// Estimated cost of growing a model and verifying it, in addition to the model itself.
struct GrowthCost {
  std::int64_t parameters = 0;  ///< after the last change
  std::int64_t bytes = 0;       ///< at the peak
  double seconds = 0.0;         ///< for planning and growing, on a machine of 2024
};
/// Also for outlines.
GrowthCost costOf(std::span<const Change> changes);

/// The parameters after the last change in terms of those before the first. Means of means are
/// reported as means.
std::vector<ParameterGrowth> compose(std::span<const Change> changes);

/// The rules that can be broken in this expansion of this model.
std::vector<Break> possibleBreaks(const ModelConfig& before, const Growth& growth);

}  // namespace tfm::expand

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

/// What one expansion does to a model, known before any number is touched.
struct Change {
  Growth growth;  ///< with every method and the seed decided
  ModelConfig before, after;
  ParameterLayout layout_before, layout_after;
  std::vector<ParameterGrowth> parameters;  ///< one for each of layout_after, in its order
  bool exact = true;
  std::string inexact;             ///< why it is not exact; empty where it is
  std::vector<std::string> notes;  ///< what else changes, one sentence each
};

/// Plans one expansion. `step`: training steps done, where a mask begins. Throws Error where the
/// growth does not fit the model or memory, or where it would not be exact and that was not asked
/// for; the hint names what would be.
Change planGrowth(const ModelConfig& before, const Growth& growth, std::int64_t step = 0);

/// Plans expansions one after the other. Throws Error where they do not fit into memory together,
/// before any of it is taken, and Cancelled where `progress` ends it.
std::vector<Change> planGrowths(const ModelConfig& before, const Plan& plan, std::int64_t step = 0,
                                const Progress& progress = {});

/// What planGrowth() and planGrowths() say but how each parameter is made (Change::parameters is
/// empty): enough for sizes and words, and quick however large the model becomes. Throws the same.
Change outlineGrowth(const ModelConfig& before, const Growth& growth, std::int64_t step = 0);
std::vector<Change> outlineGrowths(const ModelConfig& before, const Plan& plan,
                                   std::int64_t step = 0);

/// What growing a model and verifying it take beside that model, computed without taking it.
struct GrowthCost {
  std::int64_t parameters = 0;  ///< after the last change
  std::int64_t bytes = 0;       ///< at the peak
  double seconds = 0.0;         ///< of planning and growing, on an idle machine of 2024
};
/// Of outlines as well.
GrowthCost costOf(std::span<const Change> changes);

/// The parameters after the last change as made from those before the first: what a picture of a
/// whole chain needs. Means of means are shown as means.
std::vector<ParameterGrowth> compose(std::span<const Change> changes);

/// What may be done wrong with an expansion of this kind of this model.
std::vector<Break> possibleBreaks(const ModelConfig& before, const Growth& growth);

}  // namespace tfm::expand

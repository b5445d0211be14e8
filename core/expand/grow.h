// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/expand/change.h"
#include "core/expand/grown_matrix.h"
#include "core/expand/progress.h"
#include "core/model/model_state.h"

namespace tfm::expand {

/// A model after its expansions.
struct Grown {
  std::vector<Change> changes;  ///< one for each growth of the plan
  ModelState state;
};

/// Applies a plan. Parameters, the optimizer's moments and missed steps grow together; the step and
/// seed, and thus the random state, are kept. New entries start with first moment 0, the mean
/// second moment of their parameter and their own step count; so do, as Change::notes says,
/// norms and maps that write into a residual stream growing by copies or means, since each copy
/// receives only part of the gradient of the old component. The result depends only on the state
/// and plan, applied at once or one by one. Throws what planGrowth() throws, and Cancelled if
/// `progress` returns false.
Grown grow(const ModelState& before, const Plan& plan, const Progress& progress = {});

/// What grow() would do, with all seeds resolved. Throws what grow() throws.
std::vector<Change> planGrowths(const ModelState& before, const Plan& plan,
                                const Progress& progress = {});
/// Applies changes to the parameters only, without the optimizer's state (moments and missed
/// steps): enough for display and verify(). Without changes returns `before`. Throws Cancelled.
Grown growParameters(const ModelState& before, std::vector<Change> changes,
                     const Progress& progress = {});

/// The parameters after the changes of a Grown, in either precision: in double, verify() sees no
/// rounding to float. Throws Cancelled.
template <class Real>
AlignedVector<Real> grownParameters(std::span<const Change> changes, std::span<const Real> before,
                                    const Progress& progress = {});

/// All parameters of a chain before and after, for display, without copying numbers. `before` is
/// the state that was grown.
std::vector<GrownMatrix> grownMatrices(const std::shared_ptr<const ModelState>& before,
                                       const std::shared_ptr<const Grown>& grown);
/// All parameters of a model that does not grow, in the same form.
std::vector<GrownMatrix> unchangedMatrices(const std::shared_ptr<const ModelState>& state);

}  // namespace tfm::expand

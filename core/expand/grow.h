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

/// Applies a plan. Parameters, the optimizer's moments and the steps that entries have missed grow
/// together; step, seed and so the random state carry on. New entries begin with the first moment
/// 0, the mean second moment of what their parameter had, and a step count of their own. So does
/// what writes into a stream that grows by copies or means, with its norms: from then on each copy
/// receives another part of the gradient than the one component did (Change::notes says so). The
/// same state and plan give the same numbers, at once or one expansion after the other. Throws what
/// planGrowth() throws, and Cancelled where `progress` ends it.
Grown grow(const ModelState& before, const Plan& plan, const Progress& progress = {});

/// What grow() would do: the seeds that a plan leaves open are decided. Throws what grow() throws.
std::vector<Change> planGrowths(const ModelState& before, const Plan& plan,
                                const Progress& progress = {});
/// Does it, without what the optimizer remembers (moments, steps done and missed): all that a
/// picture and a proof need. Without changes, the state as it was. Throws Cancelled.
Grown growParameters(const ModelState& before, std::vector<Change> changes,
                     const Progress& progress = {});

/// The parameters after the changes, in either precision: in double, rescaling does not round to
/// float, so that a proof sees the mathematics alone. `changes` are those of a Grown. Throws
/// Cancelled.
template <class Real>
AlignedVector<Real> grownParameters(std::span<const Change> changes, std::span<const Real> before,
                                    const Progress& progress = {});

/// Every parameter of a chain, before and after, for pictures; their numbers are those of the
/// states. `before` is the state that was grown.
std::vector<GrownMatrix> grownMatrices(const std::shared_ptr<const ModelState>& before,
                                       const std::shared_ptr<const Grown>& grown);
/// The parameters of a model that does not grow, in the same form.
std::vector<GrownMatrix> unchangedMatrices(const std::shared_ptr<const ModelState>& state);

}  // namespace tfm::expand

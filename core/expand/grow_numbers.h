// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/expand/change.h"
#include "core/expand/progress.h"
#include "core/tensor/aligned_vector.h"

namespace tfm::expand {

/// The parameters after a change, computed from those before, in either precision. `work` counts
/// parameters. Throws Cancelled.
template <class Real>
AlignedVector<Real> grownNumbers(const Change& change, std::span<const Real> before, Work& work);

}  // namespace tfm::expand

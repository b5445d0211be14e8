// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reproduce/claim.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace tfm::reproduce {
namespace {

/// False for NaN.
bool agree(const Numbers& ours, const Numbers& printed, const Claim& claim) {
  return std::ranges::equal(ours, printed, [&](double own, double other) {
    return claim.at_most ? own <= std::min(other, claim.promised)
                         : std::abs(own - other) <= claim.tolerance;
  });
}

}  // namespace

Checked check(const Claim& claim, bool trainings, const Progress& progress) {
  Checked checked{claim, std::nullopt};
  if (!claim.isComputed() || (claim.trains() && !trainings)) return checked;
  const auto begin = std::chrono::steady_clock::now();
  if (claim.trains())
    checked.ours = claim.learned(progress ? progress : [](double) { return true; });
  else
    checked.ours = claim.ours();
  if (!checked.ours) return checked;
  checked.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  checked.pass = claim.right.empty() ? agree(*checked.ours, claim.printed, claim)
                                     : agree(*checked.ours, claim.right, claim) &&
                                           !agree(*checked.ours, claim.printed, claim);
  return checked;
}

}  // namespace tfm::reproduce

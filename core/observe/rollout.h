// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/observe/probe.h"

namespace tfm::observe {

/// The attention map of a head (-1: mean over heads) of a site for sequence 0: queries x keys.
Observed headMap(const AttentionSite& site, const Observed& probabilities, std::int64_t head);

/// Attention rollout (Abnar and Zuidema 2020): the product over layers of (A + I) / 2 with A the
/// mean over heads, rows renormalised. `maps`: one positions x positions map per layer, in order.
Observed rollout(const std::vector<Observed>& maps);

}  // namespace tfm::observe

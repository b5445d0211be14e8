// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/reproduce/claim.h"

namespace tfm::reproduce {

/// The notebook's wiring and the published one, with the sizes of the preset sentiment-classifier,
/// trained on the built-in sentences with the joint loss of four granularities and the recipe's
/// learning rate, batches and seed. Accuracies on held-out sentences in percent, smallest
/// granularity first, those of the notebook's before the published ones. nullopt if `progress`
/// ended it. Results do not depend on the number of threads.
std::optional<Numbers> accuraciesOfWirings(std::int64_t steps, const Progress& progress);

/// Of 32 random texts, before training: how many logits of the notebook's wiring change if each
/// text is read alone instead of in one batch.
double logitsThatDependOnTheBatch();
/// How many of them change if the model is saved and loaded, which draws new values for what is not
/// stored.
double logitsThatLoadingChanges();

}  // namespace tfm::reproduce

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/matformer/nesting.h"
#include "core/train/gradient_engine.h"

namespace tfm::train {

/// The submodels whose losses a training step adds up: all `sizes` in joint training, otherwise the
/// one that is drawn; the whole model where there are none.
std::vector<WeightedPart> stepParts(std::span<const matformer::Granularity> sizes,
                                    matformer::Training training, std::size_t drawn);

/// Those of a step of which the whole model is part: all in joint training, otherwise the whole
/// model. The last one is the whole model. A model with interventions is not trained: it is taken
/// alone.
std::vector<WeightedPart> partsWithWhole(const ModelConfig& config,
                                         const matformer::Nesting& nesting);

}  // namespace tfm::train

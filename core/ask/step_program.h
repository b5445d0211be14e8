// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

#include "core/model/build_program.h"
#include "core/train/gradient_engine.h"

namespace tfm::train {

/// The loss of the last one of several submodels whose losses are added up.
inline constexpr std::string_view kOwnLoss = "own_loss";

/// The program of a training step with a batch of `shape`, without dropout, as one program that can
/// be explained step by step: that of the last submodel of `parts`, followed by those of the others
/// on the same inputs and parameters. Of these, names of what is computed and paths of steps begin
/// with "NAME.", and the site of a step has no stack and as its layer the place in `parts`. "loss"
/// is the sum of the losses "NAME.loss" and kOwnLoss, each times its weight. Of one part that
/// counts once, it is that part's program alone. `numbers`, `scores`: see ProgramOptions.
Program stepProgram(const ModelConfig& config, const BatchShape& shape, bool numbers, bool scores,
                    std::span<const WeightedPart> parts);

/// Whether a site is that of a submodel beside the one that is explained.
inline bool isOtherPart(const Site& site) { return site.stack == Stack::None && site.layer >= 0; }

}  // namespace tfm::train

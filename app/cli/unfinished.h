// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include "core/train/document.h"

namespace tfm::cli {

/// The model that --resume names; its checkpoint where that is all there is or, with `to_the_end`
/// (no --steps was given), where the checkpoint goes on from it. Says which on standard error.
train::Document openResumed(const std::string& file, bool to_the_end);

/// Where a training with this --out was begun as `begin` with `config` and left a checkpoint, goes
/// on from that and says so. Throws Error where the checkpoint is another training's, unless
/// `force`.
void goOnFromCheckpoint(const std::filesystem::path& out, const train::TrainConfig& config,
                        bool force, train::Document& begin);

}  // namespace tfm::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include "core/train/document.h"

namespace tfm::cli {

/// Opens the model of --resume, or its checkpoint if there is only that or, with `to_the_end` (no
/// --steps), if it continues the model. Prints which one on standard error.
train::Document openResumed(const std::string& file, bool to_the_end);

/// If a training with this --out that started as `begin` with `config` has left a checkpoint,
/// replaces `begin` by it and prints a message. Throws Error if the checkpoint is from another
/// training, unless `force`.
void resumeFromCheckpoint(const std::filesystem::path& out, const train::TrainConfig& config,
                          bool force, train::Document& begin);

}  // namespace tfm::cli

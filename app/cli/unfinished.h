// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/cli/guarded_output.h"
#include "core/document/document.h"

namespace tfm::cli {

/// Opens the model of --resume, or its checkpoint if there is only that or, with `to_the_end` (no
/// --steps), if it continues the model. Prints which one on standard error.
train::Document openResumed(const std::string& file, bool to_the_end);

/// Throws Error if a model that would be replaced was stopped before the end of its training.
/// Prints a message about one that was trained to its end.
void requireReplaceable(const std::filesystem::path& out, const train::Document& saved);
/// Throws the same for a command that has no --force, reads `file` and may replace it.
void requireReplaceable(GuardedOutput& out, const std::string& file = {});

/// What a command that trains has left of its work, when it is given again.
enum class Left { Nothing, Part, All };

/// If a training that started as `begin` with `config` was stopped and has saved its model as
/// `out`, or was killed and has left a checkpoint, replaces `begin` by what it left and prints a
/// message. `saved`: the model in `out`; none: there is none, or `begin` is it. Throws Error where
/// a checkpoint is of another training and would be lost, and as requireReplaceable().
Left resumeWhatIsLeft(const std::filesystem::path& out, std::optional<train::Document> saved,
                      const train::TrainConfig& config, train::Document& begin);

}  // namespace tfm::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/data/task_config.h"
#include "core/data/tokenizer/tokenizer.h"

namespace tfm::data {

/// Whether tasks of this kind can read texts with a tokenizer: labelled texts, and pairs.
bool takesTokenizer(std::string_view kind);

/// Whether the task of a config has a vocabulary that is learnt or given: it is labelled
/// (isLabelled()), or is pairs of more than single characters.
bool usesTokenizer(const TaskConfig& config);

/// The tokenizer of a config, with its vocabulary or that of its file, else learnt from `texts`.
/// Throws Error naming the file.
std::unique_ptr<Tokenizer> tokenizerFor(const TaskConfig& config,
                                        std::span<const std::string> texts);

}  // namespace tfm::data

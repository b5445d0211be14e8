// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/data/task_config.h"
#include "core/data/tokenizer/tokenizer.h"

namespace tfm::data {

/// Whether the task of a config has a vocabulary that is learned or given: it is labelled
/// (isLabelled()), or hides tokens, or is pairs of more than single characters.
bool usesTokenizer(const TaskConfig& config);

/// The tokenizer of a config: its vocabulary is the config's, or that of its file, or learned from
/// `texts`, which is called only then. `mask`: a learned one has kMaskToken. Throws Error naming
/// the file that the problem is in.
std::unique_ptr<Tokenizer> taskTokenizer(const TaskConfig& config,
                                         const std::function<std::vector<std::string>()>& texts,
                                         bool mask = false);

}  // namespace tfm::data

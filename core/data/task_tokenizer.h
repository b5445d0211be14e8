// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/data/task_config.h"
#include "core/data/tokenizer/tokenizer.h"

namespace tfm::data {

/// The tokenizer of a config: its vocabulary is the config's, or that of its file, or learnt from
/// `texts`, which is called only then. `mask`: a learnt one has kMaskToken. Throws Error naming the
/// file that the problem is in.
std::unique_ptr<Tokenizer> taskTokenizer(const TaskConfig& config,
                                         const std::function<std::vector<std::string>()>& texts,
                                         bool mask = false);

}  // namespace tfm::data

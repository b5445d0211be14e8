// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/cli/study_run.h"

namespace CLI {
class Option_group;
}

namespace tfm::cli {

/// Declares --arm.
void addArmOption(CLI::Option_group& options, std::vector<std::string>& texts);

/// The study of the models in texts such as "wide=rot13,hidden=16", "small=config.json" or
/// "nested=model.safetensors,granularity=S". Task and training are those of the first, where no
/// option says otherwise. Throws Error naming the text and what was expected.
train::StudyConfig studyOfArms(const StudyOptions& options, const std::vector<std::string>& texts);

}  // namespace tfm::cli

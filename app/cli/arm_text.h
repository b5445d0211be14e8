// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/study_run.h"
#include "core/train/train_config.h"

namespace CLI {
class Option_group;
}

namespace tfm::cli {

/// A model of a study as it is written: "wide=rot13,hidden=16,matformer,600:heads=9".
struct ArmText {
  /// What differs from the model that is named: "hidden=16", or a single word.
  struct Override {
    std::string name;
    std::optional<std::string> value = std::nullopt;
    bool operator==(const Override&) const = default;
  };

  std::string name, source;
  std::vector<Override> overrides = {};
  std::vector<train::ScheduledGrowth> growths = {};
  bool operator==(const ArmText&) const = default;
};

/// Reads such a text. Throws Error at --arm for a field without a value or given twice, and for
/// growths as --grow does; does not open the model.
ArmText armFromText(const std::string& text);
/// The reverse, with each growth at its own step.
std::string textOf(const ArmText& arm);

/// Declares --arm.
void addArmOption(CLI::Option_group& options, std::vector<std::string>& texts);

/// The study of the models in texts such as "wide=rot13,hidden=16", "small=config.json" or
/// "nested=model.safetensors,granularity=S". Task and training are those of the first, where no
/// option says otherwise. Throws Error naming the text and what was expected.
train::StudyConfig studyOfArms(const StudyOptions& options, const std::vector<std::string>& texts);

}  // namespace tfm::cli

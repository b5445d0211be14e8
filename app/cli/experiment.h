// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/data/task_config.h"
#include "core/model/model_config.h"
#include "core/train/train_config.h"

namespace tfm::cli {

/// A model before its training, what it is to learn, if that is said, and how.
struct Experiment {
  ModelConfig model;
  std::optional<data::TaskConfig> task;
  train::TrainConfig train;
  std::string stated = "{}";  ///< the fields of `train` that a config file has, as JSON
};

/// The usual fields of a task; a text's context is as long as the model can read.
data::TaskConfig usualTask(std::string_view kind, const ModelConfig& model);

/// The preset that is made for a task, else one for its form. Throws Error for no task.
std::string_view usualPreset(std::string_view task);

/// A preset with its usual task. Throws Error that lists the presets.
Experiment presetExperiment(std::string_view name);

/// A JSON file {"model": {...} or a preset's name, "task": {...} or a kind, "train": {...}}. Task
/// and train may be missing, fields have their usual values; vocabularies and lengths of a model
/// with a task follow from it. What info --json says may be such a file: the model then begins
/// anew, and growths that it has had already are left out. Throws Error naming file and field.
Experiment readExperiment(const std::filesystem::path& path);

}  // namespace tfm::cli

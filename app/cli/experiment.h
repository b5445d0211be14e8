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

/// A model to train, its task, if known, and how to train it.
struct Experiment {
  ModelConfig model;
  std::optional<data::TaskConfig> task;
  train::TrainConfig train;
  std::string explicit_train = "{}";  ///< the fields of `train` in a config file, as JSON
};

/// The default config of a task. The context of a text task is as long as the model's input.
data::TaskConfig defaultTask(std::string_view kind, const ModelConfig& model);

/// Adam with a constant rate, smaller for wider models; 4,000 steps.
train::TrainConfig defaultTraining(const ModelConfig& model);

/// The preset for a task, else one for its form. Throws Error if there is no such task.
std::string_view defaultPreset(std::string_view task);

/// A preset with its default task. Throws Error listing the presets if there is none with this
/// name.
Experiment presetExperiment(std::string_view name);

/// The recipe of a source document (see reproduce::sources()); for its name with -as-written, the
/// training as the document states it, if its code runs another. Throws Error listing the
/// documents.
Experiment recipeExperiment(std::string_view name);

/// Reads a JSON file {"model": {...} or a preset's name, "task": {...} or a kind, "train": {...}}.
/// Task and train are optional, and missing fields have default values; a task determines the
/// vocabularies and lengths of the model. The output of info --json is such a file: the model then
/// starts untrained, without the growths it has already had. Throws Error naming file and field.
Experiment readExperiment(const std::filesystem::path& path);

}  // namespace tfm::cli

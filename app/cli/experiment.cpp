// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/experiment.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/in_file.h"
#include "core/data/task_table.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/io/text_file.h"
#include "core/model/presets.h"
#include "core/reproduce/source.h"
#include "core/train/fit_task.h"

namespace tfm::cli {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxConfigBytes = 1 << 28;  // a task may contain its texts

/// Fields of info --json that are not part of the config.
constexpr const char* kOfInfo[] = {"parameters",   "operations", "tensors",           "state",
                                   "follows_task", "codec",      "frozen_parameters", "events"};

/// `usual` overridden by the members of `given`, which are checked by the reader of the result.
std::string overlaid(const std::string& usual, const json& given) {
  json merged = json::parse(usual);
  merged.update(given);
  return merged.dump();
}

void requireObject(const json& value, const std::string& where, const std::string& expected) {
  if (!value.is_object())
    throw Error("found " + value.dump().substr(0, 60), where, "Expected: " + expected);
}

/// Adds missing vocabularies and lengths: any valid value will do until the task sets them.
json withSizes(json model) {
  const std::int64_t length = data::TaskConfig{}.context_length;
  const json sizes{{"source_vocabulary", 1},
                   {"target_vocabulary", 1},
                   {"output_size", 1},
                   {"source_length", length},
                   {"target_length", length}};
  for (const auto& size : sizes.items())
    if (!model.contains(size.key())) model[size.key()] = size.value();
  return model;
}

data::TaskConfig taskFrom(const json& given, const ModelConfig& model, const std::string& where) {
  if (given.is_string()) return defaultTask(given.get<std::string>(), model);
  requireObject(given, where, "a JSON object or the name of a task");
  for (const char* size : {"text_bytes", "test_text_bytes", "vocabulary_bytes"})
    if (given.contains(size))
      throw Error("it contains only the size of one of the task's texts", where,
                  "Write it with info --json --texts");
  io::ObjectReader reader(given, where);
  const data::TaskConfig usual = defaultTask(reader.get<std::string>("kind", "rot13"), model);
  return data::taskConfigFromJson(overlaid(data::toJson(usual), given));
}

}  // namespace

data::TaskConfig defaultTask(std::string_view kind, const ModelConfig& model) {
  data::TaskConfig task = data::defaultTaskConfig(kind);
  if (data::findTask(kind).form == data::TaskForm::Text && model.target_length > 0)
    task.context_length = model.target_length;
  return train::taskLike(model, task);
}

train::TrainConfig defaultTraining(const ModelConfig& model) {
  train::TrainConfig config;
  train::useDefaultRates(config, model);
  config.stop.steps = 4000;
  return config;
}

std::string_view defaultPreset(std::string_view task) {
  const data::TaskForm form = data::findTask(task).form;
  for (const Preset& preset : presets())
    if (preset.task == task) return preset.name;
  if (form == data::TaskForm::Text) return "character-model";
  return form == data::TaskForm::Classes ? "small-classifier" : "small-sequence";
}

Experiment presetExperiment(std::string_view name) {
  const Preset& preset = presetNamed(name);
  Experiment experiment;
  experiment.model = preset.config();
  if (!preset.task.empty()) experiment.task = defaultTask(preset.task, experiment.model);
  experiment.train = defaultTraining(experiment.model);
  return experiment;
}

Experiment recipeExperiment(std::string_view name) {
  constexpr std::string_view kAsWritten = "-as-written";
  const bool as_written = name.ends_with(kAsWritten);
  if (as_written) name.remove_suffix(kAsWritten.size());
  const reproduce::Source& source = reproduce::sourceNamed(name);
  if (as_written && source.written == nullptr)
    throw Error(std::string(name) + " already runs as it is written", "recipe",
                "Leave out " + std::string(kAsWritten));
  const train::Document recipe = reproduce::recipeOf(source, as_written);
  return {recipe.state.config, recipe.task, recipe.train};
}

namespace {

/// The fields in `given`; for the rest, the defaults of its optimizer.
train::TrainConfig trainingFrom(const json& given, const train::TrainConfig& usual,
                                const ModelConfig& model, const std::string& where) {
  const auto over = [&](const train::TrainConfig& base) {
    return train::trainConfigFromJson(overlaid(train::toJson(base), given), where);
  };
  train::TrainConfig own = usual;
  own.optimizer.kind = over(usual).optimizer.kind;
  train::useDefaultRates(own, model);
  return over(own);
}

/// The step of a model described by info --json, else 0.
std::int64_t stepOfInfo(const json& content) {
  const auto state = content.find("state");
  if (state == content.end() || !state->is_object()) return 0;
  const json step = state->value("step", json());
  return step.is_number_unsigned() ? step.get<std::int64_t>() : 0;
}

Experiment read(const std::filesystem::path& path, const std::string& file) {
  const json content = io::parseJson(io::readTextFile(path, kMaxConfigBytes), file);
  io::ObjectReader reader(content, file);
  const json* model = reader.child("model");
  const json* task = reader.child("task");
  const json* train = reader.child("train");
  for (const char* name : kOfInfo) reader.child(name);
  reader.refuseUnknown();
  if (model == nullptr)
    throw Error("'model' is missing", file, "Expected: the name of a preset or a JSON object");

  Experiment experiment;
  if (model->is_string()) {
    experiment = presetExperiment(model->get<std::string>());
  } else {
    requireObject(*model, file + ": model", "a JSON object or the name of a preset");
    const json whole = task != nullptr && !task->is_null() ? withSizes(*model) : *model;
    experiment.model = modelConfigFromJson(whole.dump(), file + ": model");
    experiment.train = defaultTraining(experiment.model);
  }
  if (task != nullptr && !task->is_null())
    experiment.task = taskFrom(*task, experiment.model, file + ": task");
  if (train != nullptr) {
    requireObject(*train, file + ": train", "a JSON object");
    experiment.explicit_train = train->dump();
    experiment.train = trainingFrom(*train, experiment.train, experiment.model, file + ": train");
    std::erase_if(experiment.train.growths,
                  [step = stepOfInfo(content)](const auto& growth) { return growth.step < step; });
  }
  return experiment;
}

}  // namespace

Experiment readExperiment(const std::filesystem::path& path) {
  return inFile(path.string(), [&] { return read(path, path.string()); });
}

}  // namespace tfm::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reproduce/source.h"

#include <array>
#include <string>

#include "core/base/error.h"
#include "core/data/task_table.h"
#include "core/model/presets.h"
#include "core/train/fit_task.h"

namespace tfm::reproduce {
namespace {

/// The schedule's state is discarded after each step, so that the rate stays at its first value.
train::TrainConfig annotatedTraining() {
  train::TrainConfig config;
  config.optimizer.kind = train::OptimizerKind::Sgd;
  config.schedule.learning_rate = 0.5;
  config.clip_norm = 1.0;
  config.batch_size = 50;
  config.stop.steps = 10'000;
  return config;
}

/// All submodels at once, each with a quarter of the loss.
train::TrainConfig matformerTraining() {
  train::TrainConfig config;
  config.schedule.learning_rate = 1e-3;
  config.batch_size = 32;
  config.seed = 42;
  config.stop.steps = 2000;
  config.nesting = matformer::defaultNesting(presetNamed("sentiment-classifier").config());
  config.nesting.training = matformer::Training::Joint;
  return config;
}

train::TrainConfig usualTraining() {
  train::TrainConfig config;
  config.schedule.learning_rate = 1e-3;
  config.stop.steps = 2000;
  return config;
}

constexpr std::array kSources{
    Source{"expansions-notebook", "Composable function-preserving expansions",
           "expansions-notebook", "", usualTraining, expansionsClaims},
    Source{"encoder-layer-notebook", "The encoder layer", "encoder-layer-notebook", "",
           usualTraining, encoderLayerClaims},
    Source{"annotated-transformer", "Another annotated transformer", "annotated-rot13", "rot13",
           annotatedTraining, annotatedClaims},
    Source{"matformer-notebook", "MatFormer: nested transformer for elastic inference",
           "sentiment-classifier", "sentiment", matformerTraining, matformerClaims},
    Source{"lightweight-notes", "Notes on Funnel-Transformer and DeLighT", "funnel-b2-2-2-small",
           "sentiment", usualTraining, lightweightClaims},
};

}  // namespace

std::span<const Source> sources() { return kSources; }

const Source& sourceNamed(std::string_view name) {
  std::string known;
  for (const Source& source : kSources) {
    if (source.name == name) return source;
    known += (known.empty() ? "" : ", ") + std::string(source.name);
  }
  throw Error("there is no source document '" + std::string(name) + "'", "reproduce",
              "Choose one of " + known);
}

train::Document recipeOf(const Source& source) {
  if (source.task.empty())
    throw Error("the model of " + std::string(source.name) + " reads features and learns nothing",
                "reproduce", "See it with info --preset " + std::string(source.preset));
  const data::TaskConfig task = data::defaultTaskConfig(source.task);
  ModelConfig model = presetNamed(source.preset).config();
  train::fitToTask(model, *data::makeTask(task));
  return train::newDocument(model, task, source.training());
}

}  // namespace tfm::reproduce

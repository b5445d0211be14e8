// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reproduce/source.h"

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/data/task_table.h"
#include "core/data/text_codec.h"
#include "core/model/model_state.h"
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

train::TrainConfig annotatedAsWritten() {
  train::TrainConfig config = annotatedTraining();
  config.schedule = train::notebookSchedule();
  return config;
}

/// All submodels at once, each with a quarter of the loss.
train::TrainConfig matformerTraining() {
  train::TrainConfig config;
  config.schedule.learning_rate = 1e-3;
  config.batch_size = 32;
  config.seed = 42;
  config.stop.steps = 10 * 313;  // epochs of the 10,000 built-in sentences
  config.nesting = matformer::defaultNesting(presetNamed("matformer-notebook").config());
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
           "expansions-notebook", "", "ab", usualTraining, expansionsClaims, expansionsPictures},
    Source{"encoder-layer-notebook", "The encoder layer", "encoder-layer-notebook", "", "abc",
           usualTraining, encoderLayerClaims, encoderLayerPictures},
    Source{"annotated-transformer", "Another annotated transformer", "annotated-rot13", "rot13",
           "there", annotatedTraining, annotatedClaims, annotatedPictures, annotatedAsWritten},
    Source{"matformer-notebook", "MatFormer: nested transformer for elastic inference",
           "matformer-notebook", "sentiment", "", matformerTraining, matformerClaims,
           matformerPictures},
    Source{"lightweight-notes", "Notes on Funnel-Transformer and DeLighT", "funnel-b2-2-2-small",
           "sentiment", "", usualTraining, lightweightClaims, lightweightPictures},
};

/// A model that reads features, with letters for them.
train::Document featureRecipe(const Source& source) {
  train::Document document;
  document.train = source.training();
  document.state = initialState(presetNamed(source.preset).config(), document.train.seed);
  const ModelConfig& config = document.state.config;
  const std::int64_t length = config.source_length;
  std::vector<std::string> outputs;  // by number, from 1
  for (std::int64_t i = 1; i <= config.output_size; ++i) outputs.push_back(std::to_string(i));
  document.codec = std::make_shared<const data::TextCodec>(
      std::string(source.name), data::TaskForm::None, data::Vocabulary::annotated(),
      outputs.empty() ? data::Vocabulary() : data::Vocabulary(std::move(outputs), {}),
      data::TaskLengths{.source = length, .target = 0, .input = length},
      data::DrawnFeatures{config.feature_size > 0 ? config.feature_size : config.hidden,
                          std::int64_t(document.train.seed)});
  train::checkFit(config, *document.codec);
  return document;
}

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

Picture pictureNamed(const Source& source, std::string_view name) {
  std::string known;
  for (Picture& picture : source.pictures()) {
    if (picture.name == name) return std::move(picture);
    known += (known.empty() ? "" : ", ") + picture.name;
  }
  throw Error("there is no figure '" + std::string(name) + "'", std::string(source.name),
              "Choose one of " + known);
}

train::Document recipeOf(const Source& source, bool as_written) {
  if (source.task.empty()) return featureRecipe(source);
  const data::TaskConfig task = data::defaultTaskConfig(source.task);
  ModelConfig model = presetNamed(source.preset).config();
  train::fitToTask(model, *data::makeTask(task));
  return train::newDocument(model, task,
                            as_written && source.written ? source.written() : source.training());
}

}  // namespace tfm::reproduce

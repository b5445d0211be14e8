// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reproduce/source.h"

#include <array>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/model/presets.h"
#include "core/train/untrained.h"

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
           "expansions-notebook", "regression", "ab", usualTraining, expansionsClaims,
           expansionsPictures},
    Source{"encoder-layer-notebook", "The encoder layer", "encoder-layer-notebook", "regression",
           "abc", usualTraining, encoderLayerClaims, encoderLayerPictures},
    Source{"annotated-transformer", "Another annotated transformer", "annotated-rot13", "rot13",
           "there", annotatedTraining, annotatedClaims, annotatedPictures, annotatedAsWritten},
    Source{"matformer-notebook", "MatFormer: nested transformer for elastic inference",
           "matformer-notebook", "sentiment", "", matformerTraining, matformerClaims,
           matformerPictures},
    Source{"lightweight-notes", "Notes on Funnel-Transformer and DeLighT", "funnel-b2-2-2-small",
           "sentiment", "", usualTraining, lightweightClaims, lightweightPictures},
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
  return train::untrainedFor(source.task, presetNamed(source.preset).config(),
                             as_written && source.written ? source.written() : source.training());
}

}  // namespace tfm::reproduce

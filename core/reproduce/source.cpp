// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reproduce/source.h"

#include <array>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/document/untrained.h"
#include "core/model/presets.h"

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

/// The notebooks on expansions and on the encoder layer do not train; batches and seed are theirs.
template <std::int64_t batch>
train::TrainConfig featureTraining() {
  train::TrainConfig config = usualTraining();
  config.batch_size = batch;
  config.seed = 42;
  return config;
}

data::TaskConfig rot13() { return data::defaultTaskConfig("rot13"); }
data::TaskConfig sentiment() { return data::defaultTaskConfig("sentiment"); }
data::TaskConfig numbers() { return data::defaultTaskConfig("regression"); }

/// As in mse(encoder(x), x).
data::TaskConfig sameNumbers() {
  data::TaskConfig task = numbers();
  task.answers_input = true;
  return task;
}

constexpr std::array kSources{
    Source{"expansions-notebook", "Composable function-preserving expansions",
           "expansions-notebook", numbers, "ab",
           "It reads random numbers in batches of 3, as there; the training is ours.",
           featureTraining<3>, expansionsClaims, expansionsPictures},
    Source{"encoder-layer-notebook", "The encoder layer", "encoder-layer-notebook", sameNumbers,
           "abc",
           "It reads random numbers in batches of 2 and is trained to reproduce them, with the "
           "loss that the notebook computes once.",
           featureTraining<2>, encoderLayerClaims, encoderLayerPictures},
    Source{"annotated-transformer", "Another annotated transformer", "annotated-rot13", rot13,
           "there", "It is trained as the code really runs, at a constant rate of 0.5.",
           annotatedTraining, annotatedClaims, annotatedPictures, annotatedAsWritten},
    Source{"matformer-notebook", "MatFormer: nested transformer for elastic inference",
           "matformer-notebook", sentiment, "",
           "The model is the paper's, as the notebook's is meant to be. It differs in its data: "
           "built-in sentences in place of reviews read by BERT-mini, which New run takes.",
           matformerTraining, matformerClaims, matformerPictures},
    Source{"lightweight-notes", "Notes on Funnel-Transformer and DeLighT", "funnel-b2-2-2-small",
           sentiment, "",
           "It is a small Funnel-Transformer; claims about DeLighT and about published sizes open "
           "the model they are about.",
           usualTraining, lightweightClaims, lightweightPictures},
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
  return train::untrainedFor(source.task(), presetNamed(source.preset).config(),
                             as_written && source.written ? source.written() : source.training());
}

}  // namespace tfm::reproduce

// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the MatFormer notebook. Its encoder's weights are not at hand: the curves are of its
// recipe on built-in sentences, with embeddings learned instead.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/ask/submodel_scorer.h"
#include "core/reproduce/learning_curves.h"
#include "core/reproduce/matformer_wiring.h"
#include "core/reproduce/source.h"

namespace tfm::reproduce {
namespace {

constexpr std::int64_t kLearntSteps = 320, kLearntEvery = 32;  // about one of its epochs
constexpr std::int64_t kSentences = 500;                       // held out, for accuracies
constexpr const char* kNested = "nested";
constexpr const char* kTraditional = "traditional, 1 layer of 2048";
constexpr std::int64_t kWidths[]{2048, 1536, 1024, 768, 512, 384, 256};  // with those between

/// The recipe, and the same with one layer and without nesting.
train::Document notebookDocument(bool nested) {
  train::Document document = recipeOf(sourceNamed("matformer-notebook"));
  if (nested) return document;
  ModelConfig model = document.state.config;
  model.encoder_layers.resize(1);
  train::TrainConfig training = document.train;
  training.nesting = {};
  return train::newDocument(model, document.task.value(), training);
}

double accuracyOf(const std::shared_ptr<const data::Task>& task, const ModelState& state,
                  const Submodel& submodel) {
  train::SubmodelScorer scorer(task, std::make_shared<const ModelState>(state), kSentences, 1);
  return scorer.score(submodel)->accuracy();
}

/// One training: losses, means of the steps between two measurements, and accuracies. False if
/// ended.
bool learn(bool nested, double share, const Progress& progress, std::vector<Series>& curves) {
  train::Document document = notebookDocument(nested);
  const auto task = train::makeTask(document);
  const auto steps = std::int64_t(std::ceil(share * double(kLearntSteps)));
  Series loss{.name = std::string("loss, ") + (nested ? kNested : kTraditional)};
  std::vector<Series> accuracies;
  if (!nested) accuracies.push_back({.name = std::string("accuracy, ") + kTraditional});
  if (nested)
    for (const std::int64_t width : kWidths)
      accuracies.push_back({.name = "accuracy, " + std::to_string(width)});
  double sum = 0.0;
  const auto trainer = trainedFor(
      std::move(document), steps, progress,
      [&](train::Trainer& one, const train::StepMetrics& metrics) {
        sum += metrics.loss;
        if (metrics.step % kLearntEvery != 0) return;
        loss.x.push_back(double(metrics.step));
        loss.y.push_back(sum / double(kLearntEvery));
        sum = 0.0;
        for (std::size_t i = 0; i < accuracies.size(); ++i) {
          const Submodel part = nested ? Submodel{{kWidths[i], kWidths[i]}, {}} : Submodel{};
          accuracies[i].x.push_back(loss.x.back());
          accuracies[i].y.push_back(accuracyOf(task, *one.lateState(false).take(), part));
        }
      });
  if (!trainer) return false;
  curves.push_back(std::move(loss));
  for (Series& accuracy : accuracies) curves.push_back(std::move(accuracy));
  return true;
}

std::optional<std::vector<Series>> training(double share, const Progress& progress) {
  constexpr double kOfNested = 0.8;  // of the time
  std::vector<Series> curves;
  if (!learn(true, share, partOf(progress, 0.0, kOfNested), curves) ||
      !learn(false, share, partOf(progress, kOfNested, 1.0 - kOfNested), curves))
    return std::nullopt;
  return curves;
}

Drawing losses(const std::vector<Series>& learned) {
  Drawing drawing{.x_title = "step, batches of 32",
                  .y_title = "training loss",
                  .series = {},
                  .logarithmic = true};
  for (const Series& series : learned) {
    if (!series.name.starts_with("loss, ")) continue;
    drawing.series.push_back(series);
    drawing.series.back().name = series.name.substr(6);
  }
  // total_loss / batch_size, over the notebook's 782 batches of 32.
  Series printed = drawing.series.front();
  printed.name = "nested, as the notebook prints it: total / batch size";
  const double times = 782.0 / 32;
  for (double& y : printed.y) y *= times;
  drawing.series.push_back(std::move(printed));
  return drawing;
}

Drawing accuracies(const std::vector<Series>& learned) {
  Drawing drawing{
      .kind = DrawingKind::Bars,
      .x_title = "neurons of the submodel",
      .y_title = "accuracy",
      .series = {{.name = "trained: M1 to M4"}, {.name = "between them, not trained"}},
      .levels = {{"printed for the traditional one, 25,000 reviews: 0.81556", 0.81556}}};
  for (const Series& series : learned) {
    if (!series.name.starts_with("accuracy, ")) continue;
    const std::string name = series.name.substr(10);
    if (name == kTraditional) {
      drawing.levels.push_back({"traditional, here", series.y.back()});
      continue;
    }
    const std::vector<std::int64_t> trained = widthsOf({});
    const bool is_trained = std::ranges::count(trained, std::atoll(name.c_str())) > 0;
    drawing.names.push_back(name);
    drawing.series[0].y.push_back(is_trained ? series.y.back() : NAN);
    drawing.series[1].y.push_back(is_trained ? NAN : series.y.back());
  }
  return drawing;
}

Drawing biases(const std::vector<std::int64_t>& chosen) {
  const double hidden = 256;
  Drawing drawing{.kind = DrawingKind::Bars,
                  .x_title = "neurons m of the submodel",
                  .y_title = "entries of b2[:m]",
                  .series = {{.name = "entries"}},
                  .levels = {{"needed: the hidden size, 256", hidden}}};
  for (std::int64_t width = chosen[0]; width >= chosen[0] / 32 && width > 0; width /= 2) {
    drawing.names.push_back(std::to_string(width));
    drawing.series[0].y.push_back(std::min(hidden, double(width)));
  }
  return drawing;
}

}  // namespace

std::vector<Picture> matformerPictures() {
  const char* where =
      "The first 320 steps of the recipe, on the built-in sentences, with embeddings learned "
      "instead of BERT-mini's. ";
  return {
      {.name = "losses",
       .title = "Training loss: nested and traditional",
       .says = std::string(where) +
               "The notebook divides the sum of the losses by the size of a batch instead of the "
               "number of batches: of its 782, that is 24.4 times the mean.",
       .training = "training",
       .learned = training,
       .composed = losses},
      {.name = "accuracies",
       .title = "M1 to M4, and the widths between them",
       .says = std::string(where) +
               "Accuracy on 500 other sentences. Such a short training ends differently from the "
               "notebook's, where the traditional model is slightly better.",
       .training = "training",
       .learned = training,
       .composed = accuracies},
      {.name = "second-bias",
       .title = "b2[:m]: the second bias is cut, too",
       .says = "b2 is added to states of 256. b2[:m] has fewer entries below that width, and the "
               "sum fails. None of the notebook's widths is that narrow; here, all of b2 is used.",
       .choices = {{"d_ff", 2048, 32, 4096, 32}},
       .drawn = biases},
  };
}

}  // namespace tfm::reproduce

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/nesting_speed.h"

#include <deque>
#include <memory>
#include <utility>

#include "app/cli/timings.h"
#include "core/data/task_table.h"
#include "core/matformer/extract.h"
#include "core/train/fit_task.h"
#include "core/train/trainer.h"

namespace tfm::cli {
namespace {

constexpr int kWarmUp = 3;

/// A trainer and how long its steps took.
struct Timed {
  train::Trainer trainer;
  Timings steps;

  Timed(std::shared_ptr<const data::Task> task, ModelState state, const train::TrainConfig& config,
        int threads)
      : trainer(std::move(task), std::move(state), config, threads) {
    for (int i = 0; i < kWarmUp; ++i) trainer.step();
  }
};

}  // namespace

NestingSpeed nestingSpeed(const Experiment& experiment, std::int64_t rounds, int threads) {
  const std::shared_ptr<const data::Task> task = data::makeTask(*experiment.task);
  ModelConfig model = experiment.model;
  train::fitToTask(model, *task);
  const ModelState state = initialState(model, 0);

  std::deque<Timed> all;
  const auto add = [&](const ModelState& from, const matformer::Nesting& nesting) {
    train::TrainConfig config = experiment.train;
    config.nesting = nesting;
    all.emplace_back(task, from, config, threads);
  };
  matformer::Nesting nesting = matformer::usualNesting(model);
  nesting.weights = {1e15, 1.0};  // every step draws the smallest
  add(state, nesting);
  nesting.weights.clear();
  nesting.training = matformer::Training::Joint;
  add(state, nesting);
  for (const matformer::Granularity& one : matformer::granularities(model, nesting))
    add(matformer::extract(state, one.submodel), {});

  for (std::int64_t round = 0; round < rounds; ++round)
    for (Timed& timed : all) timed.steps.time([&] { timed.trainer.step(); });
  double sum = 0.0;
  for (std::size_t i = 2; i < all.size(); ++i) sum += all[i].steps.median();
  return {all[0].steps.median() / all[2].steps.median(), all[1].steps.median() / sum};
}

}  // namespace tfm::cli

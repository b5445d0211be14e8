// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/nesting_speed.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "core/data/task_table.h"
#include "core/matformer/extract.h"
#include "core/train/fit_task.h"
#include "core/train/trainer.h"

namespace tfm::cli {
namespace {

constexpr int kWarmUp = 3;

/// A trainer and how long its steps took.
class Timed {
 public:
  Timed(std::shared_ptr<const data::Task> task, ModelState state, const train::TrainConfig& config,
        int threads)
      : trainer_(std::move(task), std::move(state), config, threads) {
    for (int i = 0; i < kWarmUp; ++i) trainer_.step();
  }
  void step() {
    const auto begin = std::chrono::steady_clock::now();
    trainer_.step();
    seconds_.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  double median() {
    const auto middle = seconds_.begin() + std::ptrdiff_t(seconds_.size() / 2);
    std::nth_element(seconds_.begin(), middle, seconds_.end());
    return *middle;
  }

 private:
  train::Trainer trainer_;
  std::vector<double> seconds_;
};

}  // namespace

NestingSpeed nestingSpeed(const Experiment& experiment, std::int64_t rounds, int threads) {
  const std::shared_ptr<const data::Task> task = data::makeTask(*experiment.task);
  ModelConfig model = experiment.model;
  train::fitToTask(model, *task);
  const ModelState state = initialState(model, 0);

  std::vector<std::unique_ptr<Timed>> all;
  const auto add = [&](const ModelState& from, const matformer::Nesting& nesting) {
    train::TrainConfig config = experiment.train;
    config.nesting = nesting;
    all.push_back(std::make_unique<Timed>(task, from, config, threads));
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
    for (const auto& timed : all) timed->step();
  double sum = 0.0;
  for (std::size_t i = 2; i < all.size(); ++i) sum += all[i]->median();
  return {all[0]->median() / all[2]->median(), all[1]->median() / sum};
}

}  // namespace tfm::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/nesting_speed.h"

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "app/cli/timings.h"
#include "core/base/median.h"
#include "core/data/task_table.h"
#include "core/matformer/extract.h"
#include "core/train/fit_task.h"
#include "core/train/trainer.h"

namespace tfm::cli {
namespace {

constexpr int kNestingWarmUp = 3;
constexpr std::int64_t kPairsForRound = 4;  // each takes a small part of a joint round

double nestedStepSeconds(train::Trainer& trainer) {
  Timings timings;
  timings.time([&] { trainer.step(); });
  return timings.median();
}

}  // namespace

NestingSpeed nestingSpeed(const Experiment& experiment, std::int64_t rounds, int threads) {
  const std::shared_ptr<const data::Task> task = data::makeTask(*experiment.task);
  ModelConfig model = experiment.model;
  train::fitToTask(model, *task);
  const ModelState state = initialState(model, 0);

  std::deque<train::Trainer> trainers;
  const auto add = [&](const ModelState& from, const matformer::Nesting& nesting) -> auto& {
    train::TrainConfig config = experiment.train;
    config.nesting = nesting;
    train::Trainer& trainer = trainers.emplace_back(task, from, config, threads);
    for (int i = 0; i < kNestingWarmUp; ++i) trainer.step();
    return trainer;
  };
  matformer::Nesting nesting = matformer::defaultNesting(model);
  nesting.weights = {1e15, 1.0};  // every step samples the smallest
  train::Trainer& sampled = add(state, nesting);
  nesting.weights.clear();
  nesting.training = matformer::Training::Joint;
  train::Trainer& joint = add(state, nesting);
  std::vector<train::Trainer*> alone;
  for (const matformer::Granularity& one : matformer::granularities(model, nesting))
    alone.push_back(&add(matformer::extract(state, one.submodel), {}));

  // One ratio per round, since other load on the machine affects both sides of a round.
  std::vector<double> sampled_ratios, joint_ratios;
  for (std::int64_t round = 0; round < kPairsForRound * rounds; ++round) {
    const bool first = round % 2 == 0;  // alternate, since the caches depend on what ran before
    const double before = nestedStepSeconds(first ? sampled : *alone.front());
    const double after = nestedStepSeconds(first ? *alone.front() : sampled);
    sampled_ratios.push_back(first ? before / after : after / before);
  }
  for (std::int64_t round = 0; round < rounds; ++round) {
    double sum = 0.0;
    for (train::Trainer* one : alone) sum += nestedStepSeconds(*one);
    joint_ratios.push_back(nestedStepSeconds(joint) / sum);
  }
  return {median(std::move(sampled_ratios)), median(std::move(joint_ratios))};
}

}  // namespace tfm::cli

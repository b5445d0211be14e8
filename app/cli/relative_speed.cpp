// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/relative_speed.h"

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "app/cli/timings.h"
#include "core/backend/backend_decorator.h"
#include "core/backend/registry.h"
#include "core/base/median.h"
#include "core/data/task_table.h"
#include "core/matformer/extract.h"
#include "core/program/ops/ops.h"
#include "core/train/fit_task.h"
#include "core/train/trainer.h"

namespace tfm::cli {
namespace {

constexpr int kRelativeWarmUp = 3;
constexpr std::int64_t kPairsForRound = 4;  // each takes a small part of a joint round

double nestedStepSeconds(train::Trainer& trainer) {
  Timings timings;
  timings.time([&] { trainer.step(); });
  return timings.median();
}

using Lengths = std::pair<std::int64_t, std::int64_t>;  // of queries and keys

/// The cost of all attentions of the same lengths.
struct Sum {
  double seconds = 0.0, operations = 0.0;
  std::int64_t attentions = 0;

  double time() const { return seconds / double(attentions); }
  double work() const { return operations / double(attentions); }
};
/// The longest first.
using Sums = std::map<Lengths, Sum, std::greater<>>;

/// Measures attentions and their scores by distance. Thread-safe.
class AttentionClock final : public BackendDecorator<float> {
 public:
  using BackendDecorator::BackendDecorator;

  void forward(const OpCall<float>& call) const override { measure(call, false); }
  void backward(const OpCall<float>& call) const override { measure(call, true); }

  /// What was measured since the last call.
  Sums take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(sums_, {});
  }

 private:
  static const AttentionShape* shapeOf(const OpCall<float>& call) {
    if (call.op == &ops::kAttention) return &call.get<AttentionArguments>().shape;
    if (call.op == &ops::kRelativeScores) return &call.get<RelativeArguments>().shape;
    return nullptr;
  }

  void measure(const OpCall<float>& call, bool backward) const {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    backward ? inner().backward(call) : inner().forward(call);
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const AttentionShape* shape = shapeOf(call);
    if (shape == nullptr) return;
    const std::lock_guard lock(mutex_);
    Sum& sum = sums_[{shape->queries, shape->keys}];
    sum.seconds += seconds;
    sum.operations += (backward ? 2.0 : 1.0) * double(call.op->kernels<float>().flops(call));
    sum.attentions += call.op == &ops::kAttention && !backward;
  }

  mutable std::mutex mutex_;
  mutable Sums sums_;
};

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
    for (int i = 0; i < kRelativeWarmUp; ++i) trainer.step();
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

std::vector<PooledAttention> pooledAttentions(const Experiment& experiment, std::int64_t steps,
                                              int threads) {
  std::shared_ptr<const data::Task> task = data::makeTask(*experiment.task);
  ModelConfig model = experiment.model;
  train::fitToTask(model, *task);
  auto backend = std::make_unique<AttentionClock>(makeBackend<float>());
  AttentionClock& clock = *backend;
  train::Trainer trainer(std::move(task), initialState(model, 0), experiment.train, threads,
                         std::move(backend));
  for (int i = 0; i < kRelativeWarmUp; ++i) trainer.step();

  // Ratios within each step, since other load on the machine affects all of it.
  std::map<Lengths, std::vector<double>> times;
  Sums sums = clock.take();
  for (std::int64_t i = 0; i < steps; ++i) {
    trainer.step();
    sums = clock.take();
    for (const auto& [lengths, sum] : sums)
      times[lengths].push_back(sum.time() / sums.begin()->second.time());
  }
  std::vector<PooledAttention> all;
  for (const auto& [lengths, sum] : sums)
    if (lengths != sums.begin()->first)
      all.push_back({lengths.first, lengths.second, median(times[lengths]),
                     sum.work() / sums.begin()->second.work()});
  return all;
}

}  // namespace tfm::cli

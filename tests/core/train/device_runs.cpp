// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/train/device_runs.h"

#include "core/ask/growth_proof.h"
#include "core/ask/observer.h"
#include "core/ask/submodel_scorer.h"
#include "core/expand/grow.h"
#include "tests/core/train/listener.h"
#include "tests/core/train/training.h"

namespace tfm::test {
namespace {

using namespace tfm::train;

void addNumbers(Outcome& outcome, const Evaluation& e) {
  outcome.losses.insert(outcome.losses.end(), {e.loss, e.accuracy, e.position_accuracy});
}

/// SGD with momentum on a few examples.
TrainConfig sgd() {
  TrainConfig config;
  config.optimizer.kind = OptimizerKind::Sgd;
  config.optimizer.momentum = 0.9;
  config.batch_size = 3;
  return config;
}

expand::Growth wider(std::int64_t feed_forward) {
  expand::Growth growth;
  growth.kind = expand::Kind::FeedForward;
  growth.size = feed_forward;
  return growth;
}

}  // namespace

Outcome outcomeOf(const Document& document, int steps) {
  Outcome outcome;
  Trainer trainer = trainerOf(document);
  outcome.losses = losses(trainer, steps);
  addNumbers(outcome, trainer.evaluate(12));
  outcome.states = {trainer.state(), *trainer.lastGood()};
  return outcome;
}

TrainConfig clippingConfig() {
  TrainConfig config;
  config.optimizer.kind = OptimizerKind::Adam;
  config.schedule.learning_rate = 0.01;
  config.clip_norm = 0.3;
  config.batch_size = 3;
  return config;
}

Outcome trainedRot13() {
  const Document document = documentOf("rot13", "rot13", clippingConfig());
  Outcome outcome = outcomeOf(document, 200);
  const ModelState& state = outcome.states.front();
  Looking looking;
  looking.norms = true;
  looking.question = "there";
  looking.pattern = "*";
  looking.samples = {"hey", "there", "you"};
  const Snapshot snapshot = *Observer(taskOf("rot13")).look(looking, shared(state));
  for (const AnsweredQuestion& sample : snapshot.samples) outcome.answers.push_back(sample.answer);
  for (const auto& [name, observed] : snapshot.observed)
    outcome.seen.insert(outcome.seen.end(), observed.values.begin(), observed.values.end());
  return outcome;
}

Outcome trainedNested() {
  TrainConfig config;
  config.optimizer.kind = OptimizerKind::AdamW;
  config.batch_size = 3;
  config.nesting.widths = {3, 10, 33};
  config.nesting.heads = {1, 2, 3};
  config.nesting.training = matformer::Training::Joint;
  const Document document = documentOf("small-sequence", "copy", config, true);
  Outcome outcome = outcomeOf(document, 3);
  const Trainer trainer = trainerOf(document);
  SubmodelScorer scorer(trainer.sharedTask(),
                        std::make_shared<const ModelState>(outcome.states.front()), 12, 1);
  const SubmodelScore score = *scorer.score(trainer.granularities().front().submodel);
  outcome.losses.insert(outcome.losses.end(), {score.loss, score.agreement, score.divergence});
  return outcome;
}

Outcome trainedAndGrown() {
  TrainConfig config = sgd();
  config.growths = {{6, wider(9)}};
  const Document document = documentOf("rot13", "rot13", config);
  Outcome outcome = outcomeOf(document, 10);
  const ModelState& state = outcome.states.front();
  const Trainer trainer = trainerOf(document);
  const GrowthProof proof = proveGrowth(state, expand::grow(state, {wider(11)}), trainer.task(),
                                        &trainer.task(), trainer.framing(), 20);
  outcome.losses.insert(outcome.losses.end(),
                        {proof.verdict.max_difference, proof.verdict.max_difference_double,
                         proof.verdict.loss_after});
  for (const AnsweredQuestion& after : proof.answers_after) outcome.answers.push_back(after.answer);
  return outcome;
}

Outcome trainedAndUndone() {
  TrainingLoop loop(documentOf("rot13", "rot13", sgd()), 1);
  Outcome outcome;
  const auto train = [&](int steps) {
    loop.post([&outcome, steps](Trainer& trainer) {
      const std::vector<double> more = losses(trainer, steps);
      outcome.losses.insert(outcome.losses.end(), more.begin(), more.end());
    });
    outcome.states.push_back(loop.document().get().state);
  };
  train(3);
  const Exchange growth =
      replaceModel(loop, expand::grow(outcome.states.front(), {wider(9)}).state).get();
  train(2);
  replaceModel(loop, *growth.before->state, growth.before->history).get();
  train(3);
  return outcome;
}

}  // namespace tfm::test

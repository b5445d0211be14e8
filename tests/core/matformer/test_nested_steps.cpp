// SPDX-License-Identifier: GPL-3.0-or-later
// One step on a submodel moves what is in it as in a model of its own, and nothing else.
#include <QTest>
#include <cmath>

#include "core/matformer/extract.h"
#include "tests/core/matformer/nested_models.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::matformer;
using namespace tfm::test;
using namespace tfm::train;

namespace {

constexpr int kSteps = 12;

TrainConfig configFor(OptimizerKind kind, Training training = Training::Sampled) {
  TrainConfig config;
  config.batch_size = 9;
  config.optimizer.kind = kind;
  if (kind == OptimizerKind::Sgd) {
    config.optimizer.momentum = 0.9;
    config.schedule.learning_rate = 0.05;
  }
  if (kind == OptimizerKind::AdamW) config.optimizer.weight_decay = 0.1;
  config.nesting.widths = {3, 10, 33};
  config.nesting.heads = {1, 2, 3};
  config.nesting.training = training;
  return config;
}

Document documentFor(const TrainConfig& config) {
  return documentOf("small-sequence", "copy", config, true);
}

/// The granularity that the next step draws.
Submodel drawnBy(const Trainer& trainer) {
  const auto& all = trainer.granularities();
  return all[sampleGranularity(all, trainer.seed(), std::uint64_t(trainer.stepsDone()))].submodel;
}

/// The same task and settings for a state of which nothing is nested.
Trainer plainTrainer(const Document& document, const ModelState& state) {
  Document plain = document;
  plain.train.nesting = {};
  plain.state = state;
  return trainerOf(plain);
}

struct Kinds {
  const char* name;
  OptimizerKind kind;
};
constexpr Kinds kKinds[] = {{"SGD with momentum", OptimizerKind::Sgd},
                            {"Adam", OptimizerKind::Adam},
                            {"AdamW with weight decay", OptimizerKind::AdamW}};

}  // namespace

class TestNestedSteps : public QObject {
  Q_OBJECT

 private slots:
  void optimizer_data() {
    QTest::addColumn<int>("kind");
    for (const Kinds& row : kKinds) QTest::newRow(row.name) << int(row.kind);
  }

  void whatIsOutsideStaysAsItWas_data() { optimizer_data(); }
  void whatIsOutsideStaysAsItWas() {
    QFETCH(int, kind);
    Trainer trainer = trainerOf(documentFor(configFor(OptimizerKind(kind))));
    std::int64_t untouched = 0, moved = 0;
    for (int step = 0; step < kSteps; ++step) {
      const ModelState before = trainer.state();
      const std::vector<bool> read = readBy(before.config, {drawnBy(trainer)});
      trainer.step();
      const ModelState after = trainer.state();
      const AlignedVector<float> gradients = trainer.gradients();
      for (std::size_t i = 0; i < read.size(); ++i) {
        if (read[i]) {
          moved += before.parameters[i] != after.parameters[i] ? 1 : 0;
          continue;
        }
        ++untouched;
        QVERIFY(after.parameters[i] == before.parameters[i]);
        QVERIFY(after.first_moment[i] == before.first_moment[i]);
        QVERIFY(after.second_moment[i] == before.second_moment[i]);
        QVERIFY(gradients[i] == 0.0F);
      }
    }
    QVERIFY(untouched > 10'000);
    QVERIFY(moved > 10'000);
  }

  void whatIsInsideMovesAsInAModelOfItsOwn_data() { optimizer_data(); }
  void whatIsInsideMovesAsInAModelOfItsOwn() {
    QFETCH(int, kind);
    const Document document = documentFor(configFor(OptimizerKind(kind)));
    Trainer nested = trainerOf(document);
    int different = 0;
    for (int step = 0; step < kSteps; ++step) {
      const Submodel drawn = drawnBy(nested);
      Trainer alone = plainTrainer(document, extract(nested.state(), drawn));
      const auto& all = nested.granularities();
      const Submodel other = all[drawn == all[0].submodel ? 1 : 0].submodel;
      const ModelState before = nested.state();
      const double loss = nested.step().loss;
      QVERIFY(alone.step().loss == loss);
      QVERIFY(sameState(extract(nested.state(), drawn), alone.state()));
      // The control: another granularity would have moved it differently.
      Trainer wrong = plainTrainer(document, extract(before, other));
      different += wrong.step().loss != loss ? 1 : 0;
    }
    QCOMPARE(different, kSteps);
  }

  void trainedOnItsOwnStepsAloneItIsTheSame() {
    // S takes part in every step. Where each of them is on S, it is a model of its own all along.
    TrainConfig config = configFor(OptimizerKind::Adam);
    config.nesting.weights = {1e12, 1.0};
    const Document document = documentFor(config);
    Trainer nested = trainerOf(document);
    const Submodel small = nested.granularities().front().submodel;
    Trainer alone = plainTrainer(document, extract(document.state, small));
    for (int step = 0; step < kSteps; ++step) {
      QCOMPARE(drawnBy(nested), small);
      QVERIFY(nested.step().loss == alone.step().loss);
    }
    QVERIFY(sameState(extract(nested.state(), small), alone.state()));
    QVERIFY(alone.state().missed_steps.empty());
    const std::vector<bool> read = readBy(document.state.config, {small});
    const std::vector<std::int64_t> missed = missedByEntry(nested.state());
    for (std::size_t i = 0; i < read.size(); ++i) QCOMPARE(missed[i], read[i] ? 0 : kSteps);
  }

  void entriesCountTheStepsThatTheyTookPartIn_data() {
    QTest::addColumn<int>("kind");
    for (const Kinds& row : {kKinds[1], kKinds[2]}) QTest::newRow(row.name) << int(row.kind);
  }
  void entriesCountTheStepsThatTheyTookPartIn() {
    QFETCH(int, kind);
    const TrainConfig config = configFor(OptimizerKind(kind));
    const Document document = documentFor(config);
    Trainer trainer = trainerOf(document);
    const auto& granularities = trainer.granularities();
    std::vector<std::vector<bool>> read;
    for (const Granularity& one : granularities)
      read.push_back(readBy(document.state.config, {one.submodel}));
    const OptimizerConfig& o = config.optimizer;
    struct Entry {
      double value = 0.0, late = 0.0, m = 0.0, v = 0.0;
      int steps = 0;
    };
    std::vector<Entry> entries(document.state.parameters.size());
    for (std::size_t i = 0; i < entries.size(); ++i)
      entries[i].value = entries[i].late = document.state.parameters[i];
    for (int t = 1; t <= kSteps; ++t) {
      const std::size_t drawn =
          sampleGranularity(granularities, document.state.seed, std::uint64_t(t - 1));
      const double rate = trainer.step().learning_rate;
      const AlignedVector<float> gradients = trainer.gradients();
      for (std::size_t i = 0; i < entries.size(); ++i) {
        if (!read[drawn][i]) continue;
        Entry& e = entries[i];
        const double g = gradients[i];
        e.m = o.beta1 * e.m + (1.0 - o.beta1) * g;
        e.v = o.beta2 * e.v + (1.0 - o.beta2) * g * g;
        const auto move = [&](double& value, int steps) {
          const double corrected = e.m / (1.0 - std::pow(o.beta1, steps));
          const double root = std::sqrt(e.v / (1.0 - std::pow(o.beta2, steps)));
          value -= rate * (corrected / (root + o.eps) + o.weight_decay * value);
        };
        move(e.value, ++e.steps);
        move(e.late, t);  // the control: corrected for all steps
      }
    }
    const ModelState end = trainer.state();
    const std::vector<std::int64_t> missed = missedByEntry(end);
    double worst = 0.0, control = 0.0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      QCOMPARE(missed[i], std::int64_t(kSteps - entries[i].steps));
      const double now = end.parameters[i];
      worst = std::max(worst, std::abs(now - entries[i].value));
      control = std::max(control, std::abs(now - entries[i].late));
    }
    QVERIFY2(worst < 2e-5, QByteArray::number(worst));
    QVERIFY2(control > 1e-3, QByteArray::number(control));
  }

  void threadsDoNotMatter_data() {
    QTest::addColumn<int>("training");
    QTest::newRow("sampled") << int(Training::Sampled);
    QTest::newRow("joint") << int(Training::Joint);
  }
  void threadsDoNotMatter() {
    QFETCH(int, training);
    TrainConfig config = configFor(OptimizerKind::AdamW, Training(training));
    config.batch_size = 21;  // cut into chunks of two sizes
    config.clip_norm = 0.5;
    const Document document = documentFor(config);
    Trainer one = trainerOf(document, 1);
    const std::vector<double> expected = losses(one, 8);
    const Evaluation evaluation = one.evaluate(30);
    QCOMPARE(evaluation.granularities.size(), std::size_t{4});
    QCOMPARE(evaluation.granularities.back().loss, evaluation.loss);
    QVERIFY(evaluation.granularities.front().loss != evaluation.loss);
    for (const int threads : {2, 3}) {
      Trainer several = trainerOf(document, threads);
      QCOMPARE(losses(several, 8), expected);
      QVERIFY(sameState(several.state(), one.state()));
      QCOMPARE(several.evaluate(30), evaluation);
    }
    Document other = document;
    other.train.nesting.training =
        training == int(Training::Joint) ? Training::Sampled : Training::Joint;
    Trainer control = trainerOf(other, 1);
    QVERIFY(losses(control, 8) != expected);
  }

  void aRestoredStateGoesOnBitForBit() {
    const Document document = documentFor(configFor(OptimizerKind::Adam));
    Trainer trainer = trainerOf(document);
    losses(trainer, 5);
    const ModelState kept = trainer.state();
    QVERIFY(!kept.missed_steps.empty());
    const std::vector<double> expected = losses(trainer, 7);
    const ModelState end = trainer.state();
    trainer.restore(kept);
    QCOMPARE(losses(trainer, 7), expected);
    QVERIFY(sameState(trainer.state(), end));
    ModelState forgetful = kept;
    forgetful.missed_steps.clear();
    trainer.restore(forgetful);
    QVERIFY(losses(trainer, 7) != expected);
  }
};

TFM_TEST(TestNestedSteps)
#include "test_nested_steps.moc"

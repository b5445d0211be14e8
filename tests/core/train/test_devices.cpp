// SPDX-License-Identifier: GPL-3.0-or-later
// All that is computed, computed where the host cannot touch the numbers: the same bits as on the
// CPU. One thread, as memory that one has open is open to all.
#include <sys/wait.h>
#include <unistd.h>
#include <QTest>
#include <csignal>

#include "core/backend/registry.h"
#include "core/expand/grow.h"
#include "core/program/ops/update_ops.h"
#include "core/train/growth_proof.h"
#include "core/train/observer.h"
#include "core/train/submodel_scorer.h"
#include "core/train/wiring_study.h"
#include "tests/core/backend/protected_backend.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

/// What some trainings came to.
struct Outcome {
  std::vector<double> losses;
  std::vector<ModelState> states;
  std::vector<std::string> answers;
  std::vector<float> seen;  ///< inside a model
};

using Run = Outcome (*)();

void addNumbers(Outcome& outcome, const Evaluation& e) {
  outcome.losses.insert(outcome.losses.end(), {e.loss, e.accuracy, e.position_accuracy});
}

Outcome trained(const Document& document, int steps) {
  Outcome outcome;
  Trainer trainer = trainerOf(document);
  outcome.losses = losses(trainer, steps);
  addNumbers(outcome, trainer.evaluate(40));
  outcome.states = {trainer.state(), *trainer.lastGood()};
  return outcome;
}

/// rot13 with Adam and a length that most gradients are clipped to; then all that looks inside.
Outcome rot13() {
  TrainConfig config;
  config.optimizer.kind = OptimizerKind::Adam;
  config.schedule.learning_rate = 0.01;
  config.clip_norm = 0.3;
  config.batch_size = 3;
  const Document document = documentOf("rot13", "rot13", config);
  Outcome outcome = trained(document, 200);
  const ModelState& state = outcome.states.front();
  Watch watch;
  watch.norms = true;
  watch.question = "there";
  watch.pattern = "*";
  watch.samples = {"hey", "there", "you"};
  const Snapshot snapshot = Observer(taskOf("rot13")).look(state, watch);
  for (const AnsweredQuestion& sample : snapshot.samples) outcome.answers.push_back(sample.answer);
  for (const auto& [name, observed] : snapshot.observed)
    outcome.seen.insert(outcome.seen.end(), observed.values.begin(), observed.values.end());
  return outcome;
}

/// Four nested submodels that share each step, then one of them measured beside the whole.
Outcome nested() {
  TrainConfig config;
  config.optimizer.kind = OptimizerKind::AdamW;
  config.batch_size = 3;
  config.nesting.widths = {3, 10, 33};
  config.nesting.heads = {1, 2, 3};
  config.nesting.training = matformer::Training::Joint;
  const Document document = documentOf("small-sequence", "copy", config, true);
  Outcome outcome = trained(document, 6);
  const Trainer trainer = trainerOf(document);
  SubmodelScorer scorer(trainer.sharedTask(),
                        std::make_shared<const ModelState>(outcome.states.front()), 40, 1);
  const SubmodelScore score = *scorer.score(trainer.granularities().front().submodel);
  outcome.losses.insert(outcome.losses.end(), {score.loss, score.agreement, score.divergence});
  return outcome;
}

/// SGD through a growth that was planned, then one that is proved.
Outcome grown() {
  expand::Growth wider;
  wider.kind = expand::Kind::FeedForward;
  wider.size = 9;
  TrainConfig config;
  config.optimizer.kind = OptimizerKind::Sgd;
  config.optimizer.momentum = 0.9;
  config.batch_size = 3;
  config.growths = {{6, wider}};
  const Document document = documentOf("rot13", "rot13", config);
  Outcome outcome = trained(document, 10);
  const ModelState& state = outcome.states.front();
  wider.size = 11;
  const Trainer trainer = trainerOf(document);
  const GrowthProof proof = proveGrowth(state, expand::grow(state, {wider}), trainer.task(),
                                        &trainer.task(), trainer.framing(), 20);
  outcome.losses.insert(outcome.losses.end(),
                        {proof.verdict.max_difference, proof.verdict.max_difference_double,
                         proof.verdict.loss_after});
  for (const AnsweredQuestion& after : proof.answers_after) outcome.answers.push_back(after.answer);
  return outcome;
}

/// A notebook's wiring beside the published one, with trainers of both.
Outcome wired() {
  StudyConfig config = studyOf("classifier", "parentheses");
  config.steps = 3;
  config.examples = 40;
  config.seeds = {3};
  return {{}, {}, {toTsv(runWiringStudy(config))}, {}};
}

}  // namespace

class TestDevices : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { chooseDevice("cpu"); }

  void protectedMemoryChangesNoBit_data() {
    QTest::addColumn<Run>("run");
    QTest::newRow("rot13") << &rot13;
    QTest::newRow("nested, joint") << &nested;
    QTest::newRow("growth") << &grown;
    QTest::newRow("wiring") << &wired;
  }
  void protectedMemoryChangesNoBit() {
    QFETCH(Run, run);
    const Outcome expected = run();
    chooseProtectedDevice();
    QCOMPARE(makeBackend<float>()->name(), "protected");
    const Outcome got = run();
    QVERIFY(got.losses == expected.losses);
    QCOMPARE(got.states.size(), expected.states.size());
    for (std::size_t i = 0; i < got.states.size(); ++i)
      QVERIFY(sameState(got.states[i], expected.states[i]));
    QCOMPARE(got.answers, expected.answers);
    QVERIFY(got.seen == expected.seen);
  }

  void theHostCannotReadIt() {
    const auto backend = makeProtectedBackend<float>();
    const Buffer<float> buffer(backend->memory(), 3);
    QCOMPARE(buffer.download(), AlignedVector<float>(3));
    const pid_t child = ::fork();
    if (child == 0) {
      std::signal(SIGSEGV, SIG_DFL);
      const volatile float* address = buffer.data();
      ::_exit(int(address[1]));
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status));
    QCOMPARE(WTERMSIG(status), SIGSEGV);
  }

  void kernelsCannotReadTheHost() {
    const auto backend = makeProtectedBackend<float>();
    std::vector<float> host(3);
    QVERIFY_EXCEPTION_THROWN(ops::scale(*backend, host, 2.0), std::logic_error);
  }
};

TFM_TEST(TestDevices)
#include "test_devices.moc"

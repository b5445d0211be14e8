// SPDX-License-Identifier: GPL-3.0-or-later
// Trainings on the simulated device or a real one.
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/backend/registry.h"
#include "tests/core/backend/simulated_cuda/cuda_plugin.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

struct Outcome {
  std::vector<double> losses;
  std::vector<ModelState> states;
  Evaluation evaluation;
};

Outcome trained(const Document& document, int steps) {
  Outcome outcome;
  Trainer trainer = trainerOf(document);
  outcome.losses = losses(trainer, steps);
  outcome.evaluation = trainer.evaluate(10);
  outcome.states = {trainer.state()};
  return outcome;
}

TrainConfig config() {
  TrainConfig config;
  config.optimizer.kind = OptimizerKind::Adam;
  config.schedule.learning_rate = 0.01;
  config.clip_norm = 0.3;
  config.batch_size = 3;
  return config;
}

}  // namespace

class TestCudaTraining : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { addDevice(cudaDevice()); }
  void cleanup() { chooseDevice("cpu"); }

  void rot13LearnsAsOnTheCpu_data() {
    QTest::addColumn<bool>("dropout");
    QTest::newRow("without dropout") << false;
    QTest::newRow("the same dropout") << true;
  }
  void rot13LearnsAsOnTheCpu() {
    QFETCH(bool, dropout);
    const Document document = documentOf("rot13", "rot13", config(), dropout);
    const Outcome expected = trained(document, 20);
    chooseDevice("cuda");
    QCOMPARE(makeBackend<float>()->name(), "cuda");
    const Outcome got = trained(document, 20);
    QCOMPARE(got.losses.size(), expected.losses.size());
    for (std::size_t i = 0; i < got.losses.size(); ++i)
      QVERIFY2(std::abs(got.losses[i] - expected.losses[i]) <= 2e-3 * expected.losses[i],
               qPrintable(QString("step %1: %2 instead of %3")
                              .arg(i)
                              .arg(got.losses[i])
                              .arg(expected.losses[i])));
    QVERIFY(got.losses.back() < 0.9 * got.losses.front());
    QVERIFY(std::abs(got.evaluation.loss - expected.evaluation.loss) <=
            5e-3 * expected.evaluation.loss);
  }

  void theSameRunGivesTheSameBits() {
    const Document document = documentOf("rot13", "rot13", config(), true);
    chooseDevice("cuda");
    const Outcome first = trained(document, 4), second = trained(document, 4);
    QVERIFY(first.losses == second.losses);
    QVERIFY(sameState(first.states.front(), second.states.front()));
  }

  void twoThreadsTrainAsOne() {
    const Document document = documentOf("rot13", "rot13", config());
    chooseDevice("cuda");
    Trainer one = trainerOf(document, 1), two = trainerOf(document, 2);
    QVERIFY(losses(one, 3) == losses(two, 3));
  }
};

TFM_TEST(TestCudaTraining)
#include "test_cuda_training.moc"

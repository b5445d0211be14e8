// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/ask/answering.h"
#include "core/reproduce/decode_loop.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

constexpr std::int64_t kWords = 1000;  // held out
constexpr std::int64_t kMaxSteps = 4000;
constexpr std::int64_t kEvery = 250;

TrainConfig sgd(std::uint64_t seed) {
  TrainConfig config;
  config.seed = seed;
  config.optimizer.kind = OptimizerKind::Sgd;
  config.schedule.learning_rate = 0.5;
  config.clip_norm = 1.0;
  return config;
}

TrainConfig adam(std::uint64_t seed) {
  TrainConfig config;
  config.seed = seed;
  config.schedule.learning_rate = 1e-2;
  config.clip_norm = 0.0;
  return config;
}

TrainConfig asWritten(std::uint64_t seed) {
  TrainConfig config = sgd(seed);
  config.schedule = notebookSchedule();
  return config;
}

}  // namespace

class TestLearningRot13 : public QObject {
  Q_OBJECT

 private slots:
  /// Loss of the untrained model: above ln 28 = 3.33, as its answers are arbitrary.
  void beginsWhereItShould() {
    constexpr int kSeeds = 20;
    double sum = 0.0;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      const double loss = trainerOf(documentOf("rot13", "rot13", sgd(seed))).evaluate(200).loss;
      QVERIFY(loss > 3.0 && loss < 4.7);
      sum += loss;
    }
    QVERIFY(sum / kSeeds > 3.7 && sum / kSeeds < 4.4);
  }

  void learnsToDecodeEveryWord_data() {
    QTest::addColumn<bool>("with_adam");
    QTest::addColumn<quint64>("seed");
    for (quint64 seed = 0; seed < 3; ++seed) {
      QTest::addRow("SGD 0.5, seed %d", int(seed)) << false << seed;
      QTest::addRow("Adam 1e-2, seed %d", int(seed)) << true << seed;
    }
  }

  void learnsToDecodeEveryWord() {
    QFETCH(bool, with_adam);
    QFETCH(quint64, seed);
    Trainer trainer =
        trainerOf(documentOf("rot13", "rot13", with_adam ? adam(seed) : sgd(seed)), 2);
    double best = 0.0;
    while (best < 1.0 && trainer.state().step < kMaxSteps) {
      losses(trainer, kEvery);
      const Evaluation evaluation = trainer.evaluate(kWords);
      // Pads are right and letters guessed: a plateau of about 0.5 ln 26 = 1.63.
      if (!with_adam && evaluation.step == 2 * kEvery)
        QVERIFY(evaluation.loss > 1.4 && evaluation.loss < 1.9);
      best = std::max(best, evaluation.accuracy);
    }
    qInfo("best %.3f after %d steps", best, int(trainer.state().step));
    QCOMPARE(best, 1.0);
    const std::vector<std::string> questions{"hey", "there", "ma", "dood"};
    const auto answers = answer(trainer.state(), trainer.task(), trainer.framing(), questions, {},
                                trainer.backend());
    const std::vector<std::string> expected{"url", "gurer", "zn", "qbbq"};
    for (std::size_t i = 0; i < expected.size(); ++i) QCOMPARE(answers[i].answer, expected[i]);
    const reproduce::LoopEnd end = reproduce::notebookLoop(trainer, questions);
    QCOMPARE(end.answers, expected);
    QCOMPARE(end.positions, std::int64_t{20});
    QCOMPARE(end.passes, std::int64_t{5});
    QCOMPARE(end.width, std::int64_t{6});
  }

  /// The schedule that the notebook writes, but never gets to follow.
  void theWrittenScheduleFails() {
    Trainer trainer = trainerOf(documentOf("rot13", "rot13", asWritten(0)), 2);
    losses(trainer, 4500);
    const Evaluation evaluation = trainer.evaluate(200);
    qInfo("accuracy %.3f", evaluation.accuracy);
    QVERIFY(evaluation.accuracy < 0.7);
    QVERIFY(evaluation.loss < 2.0);  // it did learn something
  }
};

TFM_TEST(TestLearningRot13)
#include "test_learning_rot13.moc"

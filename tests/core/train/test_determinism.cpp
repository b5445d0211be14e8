// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/core/train/listener.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

/// Everything that a window can ask for, as often as it can be had.
Looking lookAtEverything() {
  Looking looking;
  looking.parameters = looking.norms = true;
  looking.question = "hello";
  looking.pattern = "*";
  looking.samples = {"hey", "there"};
  return looking;
}

struct Run {
  std::vector<double> losses;
  std::vector<Evaluation> evaluations;
  ModelState state;
  int snapshots = 0;
};

/// The first 30 steps of a loop.
Run runLoop(const Document& document, int threads, bool watched) {
  TrainingLoop loop(document, threads);
  Listener listener(loop);
  if (watched) loop.look(lookAtEverything(), 1e9);
  loop.play();
  const bool ended = listener.until(
      [&] { return !listener.events.empty() && (listener.snapshots > 0 || !watched); });
  Run run;
  if (ended)
    for (const StepMetrics& m : listener.history.steps) run.losses.push_back(m.loss);
  run.evaluations = listener.history.evaluations;
  run.state = loop.document().get().state;
  run.snapshots = listener.snapshots;
  return run;
}

}  // namespace

class TestDeterminism : public QObject {
  Q_OBJECT

 private slots:
  void threadsDoNotMatter_data() {
    QTest::addColumn<QByteArray>("preset");
    QTest::addColumn<QByteArray>("task");
    QTest::addColumn<bool>("dropout");
    QTest::newRow("encoder-decoder") << QByteArray("rot13") << QByteArray("rot13") << false;
    QTest::newRow("encoder-decoder, dropout") << QByteArray("rot13") << QByteArray("rot13") << true;
    QTest::newRow("decoder") << QByteArray("characters") << QByteArray("text") << false;
    QTest::newRow("decoder, dropout") << QByteArray("characters") << QByteArray("text") << true;
    QTest::newRow("labels, dropout") << QByteArray("tagger") << QByteArray("sort") << true;
    QTest::newRow("classes, dropout")
        << QByteArray("classifier") << QByteArray("parentheses") << true;
  }

  void threadsDoNotMatter() {
    QFETCH(QByteArray, preset);
    QFETCH(QByteArray, task);
    QFETCH(bool, dropout);
    TrainConfig config;
    config.batch_size = 21;  // cut into chunks of two sizes
    config.optimizer.kind = OptimizerKind::AdamW;
    const Document document = documentOf(preset.toStdString(), task.toStdString(), config, dropout);
    Trainer one = trainerOf(document, 1);
    const std::vector<double> expected = losses(one, 8);
    for (const int threads : {2, 3}) {
      Trainer several = trainerOf(document, threads);
      QCOMPARE(losses(several, 8), expected);
      QVERIFY(sameState(several.state(), one.state()));
      QCOMPARE(several.evaluate(30), one.evaluate(30));
    }
  }

  void observersDoNotMatter_data() {
    QTest::addColumn<bool>("dropout");
    QTest::newRow("plain") << false;
    QTest::newRow("dropout") << true;
  }

  void observersDoNotMatter() {
    QFETCH(bool, dropout);
    TrainConfig config;
    config.stop.steps = 30;
    config.evaluate_every = 10;
    const Document document = documentOf("rot13", "rot13", config, dropout);
    const Run alone = runLoop(document, 1, false);
    const Run watched = runLoop(document, 2, true);
    QCOMPARE(alone.losses.size(), std::size_t{30});
    QCOMPARE(alone.snapshots, 0);
    QVERIFY(watched.snapshots > 0);
    QCOMPARE(watched.losses, alone.losses);
    QCOMPARE(watched.evaluations, alone.evaluations);
    QVERIFY(sameState(watched.state, alone.state));
  }

  void seedAndDropoutMatter() {
    TrainConfig config;
    Trainer usual = trainerOf(documentOf("rot13", "rot13", config));
    Trainer dropping = trainerOf(documentOf("rot13", "rot13", config, true));
    config.seed = 1;
    Trainer other = trainerOf(documentOf("rot13", "rot13", config));
    const double loss = usual.step().loss;
    QVERIFY(loss != other.step().loss);
    QVERIFY(loss != dropping.step().loss);
  }
};

TFM_TEST(TestDeterminism)
#include "test_determinism.moc"

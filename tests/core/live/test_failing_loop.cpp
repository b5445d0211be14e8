// SPDX-License-Identifier: GPL-3.0-or-later
// What a training loop does when a step or a command fails.
#include <QTest>
#include <cmath>

#include "tests/core/train/listener.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

class TestFailingLoop : public QObject {
  Q_OBJECT

 private slots:
  void divergenceIsAnEventAndCanBeUndone() {
    TrainConfig config;
    config.optimizer.kind = OptimizerKind::Sgd;
    config.optimizer.weight_decay = 9.0;  // with this rate, weights grow without limit
    config.schedule.learning_rate = 999.0;
    config.clip_norm = 0.0;
    TrainingLoop loop(quickDocument(config), 1);
    Listener listener(loop);
    loop.play();
    QVERIFY(listener.until([&] { return !listener.events.empty() && !listener.running; }));
    QCOMPARE(listener.events.size(), std::size_t{1});
    QCOMPARE(listener.events.front().kind, LoopEvent::Kind::Diverged);
    QCOMPARE(listener.events.front().step, listener.step + 1);
    QCOMPARE(listener.events.front().good_step, std::optional<std::int64_t>(0));
    config = {};
    config.batch_size = 1;
    loop.setConfig(config);
    loop.restoreLastGood();
    QVERIFY(listener.untilCommandsAreDone());
    QVERIFY(listener.until([&] { return listener.step == 0; }));
    QVERIFY(listener.history.steps.empty());
    loop.stepOnce();
    QVERIFY(listener.until([&] { return listener.step == 1; }));
    QCOMPARE(listener.events.size(), std::size_t{1});
    QVERIFY(std::isfinite(listener.history.steps.front().loss));
  }

  void aBrokenModelHasNoGoodState() {
    Document document = quickDocument();
    document.state.parameters.back() = std::nanf("");
    TrainingLoop loop(std::move(document), 1);
    Listener listener(loop);
    loop.play();
    QVERIFY(listener.until([&] { return !listener.events.empty() && !listener.running; }));
    QCOMPARE(listener.events.front().kind, LoopEvent::Kind::Diverged);
    QVERIFY(!listener.events.front().good_step);
    loop.restoreLastGood();
    QVERIFY(listener.until([&] { return listener.events.size() == 2; }));
    QCOMPARE(listener.events.back().kind, LoopEvent::Kind::Failed);
  }

  void divergingAfterAGrowthGoesBackBehindIt() {
    TrainConfig config;
    config.optimizer.kind = OptimizerKind::Sgd;
    config.schedule.learning_rate = 0.1;
    expand::Growth wider;
    wider.kind = expand::Kind::FeedForward;
    wider.size = 9;
    config.growths = {{2, wider}};
    TrainingLoop loop(quickDocument(config), 1);
    Listener listener(loop);
    for (int step = 1; step <= 3; ++step) {
      loop.stepOnce();
      QVERIFY(listener.until([&] { return listener.step == step; }));
    }
    const std::int64_t grown = loop.document().get().state.layout.total;
    loop.restoreLastGood();
    const Document document = loop.document().get();
    QVERIFY(document.state.layout.total < grown);
    QCOMPARE(document.state.step, std::int64_t{0});
    QVERIFY(document.history.steps.empty() && document.history.events.empty());
    QVERIFY(listener.until([&] { return listener.step == 0; }));
    QVERIFY(listener.events.empty());
  }

  void failedCommandsAreEvents() {
    TrainingLoop loop(quickDocument(), 1);
    Listener listener(loop);
    loop.post([](Trainer&) { throw Error("no", "here"); });
    QVERIFY(listener.until([&] { return !listener.events.empty(); }));
    QCOMPARE(listener.events.front().kind, LoopEvent::Kind::Failed);
    loop.stepOnce();
    QVERIFY(listener.until([&] { return listener.step == 1; }));
  }
};

TFM_TEST(TestFailingLoop)
#include "test_failing_loop.moc"

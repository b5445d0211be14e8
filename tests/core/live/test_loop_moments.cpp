// SPDX-License-Identifier: GPL-3.0-or-later
// Which moments a training loop keeps.
#include <QTest>

#include "tests/core/train/listener.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

/// A model so large that keeping it takes about as long as its step: not every step can be kept.
Document costlyDocument(std::int64_t steps) {
  TrainConfig config;
  config.stop.steps = steps;
  config.evaluate_every = 0;
  Document document = quickDocument(config);
  for (LayerConfig* layer :
       {&document.state.config.encoder_layers[0], &document.state.config.decoder_layers[0]})
    layer->first<FeedForward>()->width = 1 << 18;
  document.state = initialState(document.state.config, 1);
  return document;
}

}  // namespace

class TestLoopMoments : public QObject {
  Q_OBJECT

 private slots:
  void whereTrainingStopsIsKept() {
    TrainingLoop loop(costlyDocument(7), 1);
    Listener listener(loop);
    loop.play();
    QVERIFY(listener.until([&] { return listener.step == 7 && !listener.running; }));
    QCOMPARE(listener.moments.back().step(), std::int64_t{7});
    QVERIFY(listener.moments.back().state->parameters == loop.document().get().state.parameters);
  }

  void whereTrainingIsPausedIsKept() {
    TrainingLoop loop(costlyDocument(100'000), 1);
    Listener listener(loop);
    loop.play();
    QVERIFY(listener.until([&] { return listener.step >= 5; }));
    loop.pause();
    QVERIFY(listener.until([&] { return !listener.running; }));
    QCOMPARE(listener.moments.back().step(), listener.step);
    const std::size_t kept = listener.moments.size();
    loop.pause();  // where it stands already is kept once
    QVERIFY(listener.untilCommandsAreDone());
    QCOMPARE(listener.moments.size(), kept);
  }

  void everyStepByHandIsKept() {
    TrainingLoop loop(costlyDocument(100'000), 1);
    Listener listener(loop);
    for (std::int64_t step = 1; step <= 3; ++step) {
      loop.stepOnce();
      QVERIFY(listener.until([&] { return listener.step == step; }));
      QVERIFY(listener.untilCommandsAreDone());  // and with them what belongs to the step
      QCOMPARE(listener.moments.size(), std::size_t(step) + 1);
      QCOMPARE(listener.moments.back().step(), step);
    }
  }
};

TFM_TEST(TestLoopMoments)
#include "test_loop_moments.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Expansions that a training's config asks for.
#include <QTest>

#include "core/expand/grow.h"
#include "tests/core/expand/growth_to.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/listener.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

TrainConfig scheduled(OptimizerKind optimizer) {
  TrainConfig config;
  config.optimizer.kind = optimizer;
  config.optimizer.momentum = 0.9;
  config.schedule.learning_rate = optimizer == OptimizerKind::Sgd ? 0.05 : 0.01;
  config.batch_size = 12;
  config.growths = {{6, growthTo(expand::Kind::FeedForward, 9)},
                    {3, growthTo(expand::Kind::Heads, 9)},
                    {6, growthTo(expand::Kind::Hidden, 16)}};
  return config;
}

}  // namespace

class TestGrowthSchedule : public QObject {
  Q_OBJECT

 private slots:
  void equalsGrowingByHand_data() {
    QTest::addColumn<int>("threads");
    QTest::addColumn<int>("optimizer");
    for (const int threads : {1, 2})
      for (const auto& [word, kind] :
           {std::pair{"SGD", OptimizerKind::Sgd}, {"Adam", OptimizerKind::Adam}})
        QTest::addRow("%s, %d threads", word, threads) << threads << int(kind);
  }
  void equalsGrowingByHand() {
    QFETCH(int, threads);
    QFETCH(int, optimizer);
    const TrainConfig config = scheduled(OptimizerKind(optimizer));
    Document document = documentOf("rot13", "rot13", config, true);
    Trainer whole = trainerOf(document, threads);
    const std::vector<double> expected = losses(whole, 10);

    document.train.growths.clear();
    std::vector<double> by_hand;
    std::int64_t done = 0;
    for (const std::int64_t step : {3, 6, 10}) {
      Trainer part = trainerOf(document, threads);
      for (const double loss : losses(part, int(step - done))) by_hand.push_back(loss);
      document.state = expand::grow(part.state(), growthsAt(config, step)).state;
      done = step;
    }
    QCOMPARE(by_hand, expected);
    QVERIFY(sameState(document.state, whole.state()));
    QCOMPARE(whole.state().config.hidden, std::int64_t{16});
    // The control: one step earlier is another run.
    TrainConfig early = config;
    early.growths.front().step = 5;
    document = documentOf("rot13", "rot13", early, true);
    Trainer other = trainerOf(document, threads);
    QVERIFY(losses(other, 10) != expected);
  }

  void theLoopKeepsTheHistory() {
    const TrainConfig config = scheduled(OptimizerKind::Adam);
    TrainingLoop loop(documentOf("rot13", "rot13", config), 1);
    Trainer plain = trainerOf(documentOf("rot13", "rot13", config));
    losses(plain, 8);
    for (int i = 0; i < 8; ++i) loop.stepOnce();
    Document document;
    const auto arrived = [&] {
      document = loop.document().get();
      return document.state.step == 8;
    };
    QTRY_VERIFY(arrived());
    QVERIFY(sameState(document.state, plain.state()));
    QCOMPARE(document.history.steps.size(), std::size_t(8));
    QCOMPARE(document.history.events.size(), std::size_t(3));
    const HistoryEvent& first = document.history.events.front();
    QCOMPARE(first.step, std::int64_t{3});
    QCOMPARE(first.kind, EventKind::Growth);
    QVERIFY2(first.text.find("heads 7") != std::string::npos, first.text.c_str());
    QCOMPARE(document.history.events.back().step, std::int64_t{6});
  }

  void aStepThatIsTriedAgainDoesNotGrowAgain() {
    TrainConfig config = scheduled(OptimizerKind::Adam);
    config.growths = {{0, growthTo(expand::Kind::FeedForward, 9)}};
    Trainer trainer = trainerOf(documentOf("rot13", "rot13", config));
    QVERIFY(trainer.growthIsDue());
    QCOMPARE(trainer.growIfScheduled().size(), std::size_t(1));
    QVERIFY(!trainer.growthIsDue());
    trainer.step();
    QCOMPARE(trainer.state().config.encoder_layers[0].first<FeedForward>()->width, std::int64_t{9});
  }

  void anImpossibleGrowthLeavesTheModelAsItIs() {
    TrainConfig config = scheduled(OptimizerKind::Adam);
    config.growths = {{1, growthTo(expand::Kind::FeedForward, 3)}};
    Trainer trainer = trainerOf(documentOf("rot13", "rot13", config));
    trainer.step();
    const ModelState before = trainer.state();
    TFM_VERIFY_ERROR(trainer.step(), "is already 5");
    TFM_VERIFY_ERROR(trainer.step(), "schedule, after step ");
    QVERIFY(sameState(trainer.state(), before));
  }

  void json() {
    TrainConfig config = scheduled(OptimizerKind::Adam);
    config.growths[1].growth.layers = {0};
    QCOMPARE(trainConfigFromJson(toJson(config), "config"), config);
    QVERIFY(toJson(TrainConfig{}).find("growths") == std::string::npos);
    const auto read = [](const char* growths) {
      return trainConfigFromJson(std::string(R"({"growths": )") + growths + "}", "my config");
    };
    QCOMPARE(read("[]").growths.size(), std::size_t(0));
    TFM_VERIFY_ERROR(read("7"), "growths");
    TFM_VERIFY_ERROR(read("[7]"), "growths");
    TFM_VERIFY_ERROR(read(R"([{"kind": "heads", "size": 9}])"), "\"step\": 500");
    TFM_VERIFY_ERROR(read(R"([{"step": -1, "kind": "heads", "size": 9}])"), "\"step\": 500");
    TFM_VERIFY_ERROR(read(R"([{"step": 1, "kind": "hands", "size": 9}])"), "my config, growths, 0");
    config.growths = {{-1, growthTo(expand::Kind::Heads, 9)}};
    TFM_VERIFY_ERROR(validate(config), "scheduled for step -1");
  }
};

TFM_TEST(TestGrowthSchedule)
#include "test_growth_schedule.moc"

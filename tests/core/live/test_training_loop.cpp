// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <atomic>
#include <future>
#include <thread>

#include "core/backend/cpu/cpu_backend.h"
#include "tests/core/io/error_of.h"
#include "tests/core/train/listener.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::test;
using namespace tfm::train;

namespace {

/// Whether steps are numbered first, first + 1, ... without a gap.
bool consecutive(const std::vector<StepMetrics>& steps, std::int64_t first) {
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i].step != first + std::int64_t(i)) return false;
  return true;
}

}  // namespace

class TestTrainingLoop : public QObject {
  Q_OBJECT

 private slots:
  void losesNoMetricToASlowReader() {
    constexpr std::int64_t kSteps = 10'000;
    TrainConfig config;
    config.stop.steps = kSteps;
    config.evaluate_every = 500;
    config.evaluation_size = 2;
    TrainingLoop loop(quickDocument(config), 1);
    Listener listener(loop);
    loop.play();
    int reads = 0;
    while (listener.events.empty() && reads < 10'000) {
      QThread::msleep(20);
      listener.read();
      ++reads;
    }
    QCOMPARE(listener.events.size(), std::size_t{1});
    QCOMPARE(listener.events.front().kind, LoopEvent::Kind::StopRule);
    QVERIFY(listener.events.front().text.find("10000") != std::string::npos);
    QCOMPARE(std::int64_t(listener.history.steps.size()), kSteps);
    QVERIFY(consecutive(listener.history.steps, 1));
    QCOMPARE(listener.history.evaluations.size(), std::size_t{20});
    QCOMPARE(loop.document().get().history, listener.history);
  }

  void profilesStepsWhereAsked() {
    TrainingLoop loop(quickDocument(), 1);
    Listener listener(loop);
    const auto step = [&](std::int64_t number) {
      loop.stepOnce();
      return listener.until([&] { return listener.step == number; }) &&
             listener.untilCommandsAreDone();
    };
    QVERIFY(step(1) && !listener.profile);
    loop.setProfiled(true);
    QVERIFY(step(2) && listener.profile);
    QCOMPARE(listener.profile->steps, 1);
    QVERIFY(listener.profile->seconds > 0.0 && !listener.profile->ops.empty());
    loop.setProfiled(false);
    listener.profile.reset();
    QVERIFY(step(3) && !listener.profile);
  }

  void startsPausedAndObeys() {
    TrainingLoop loop(quickDocument(), 1);
    Listener listener(loop);
    QVERIFY(listener.untilCommandsAreDone());
    QCOMPARE(listener.step, 0);
    QVERIFY(!listener.running);
    loop.stepOnce();
    loop.stepOnce();
    QVERIFY(listener.until([&] { return listener.step == 2 && !listener.running; }));
    loop.play();
    QVERIFY(listener.until([&] { return listener.running && listener.step > 20; }));
    loop.pause();
    QVERIFY(listener.until([&] { return !listener.running; }));
    const std::int64_t step = listener.step;
    QVERIFY(listener.untilCommandsAreDone());
    QThread::msleep(20);
    listener.read();
    QCOMPARE(listener.step, step);
    QCOMPARE(std::int64_t(listener.history.steps.size()), step);
    QVERIFY(consecutive(listener.history.steps, 1));
  }

  /// A slow loop must obey as quickly as a fast one.
  void speedLimitsStepsButNotCommands() {
    TrainingLoop loop(quickDocument(), 1);
    Listener listener(loop);
    loop.setSpeed(0.001);
    loop.play();
    QVERIFY(listener.until([&] { return listener.step == 1; }));
    QThread::msleep(20);
    listener.read();
    QCOMPARE(listener.step, 1);
    loop.pause();
    loop.stepOnce();
    QVERIFY(listener.until([&] { return listener.step == 2 && !listener.running; }));
    loop.play();
    loop.setSpeed(0.0);
    QVERIFY(listener.until([&] { return listener.step > 100; }));
  }

  void configChangesWhileItRuns() {
    TrainConfig config;
    config.seed = 3;
    TrainingLoop loop(quickDocument(config), 1);
    Listener listener(loop);
    loop.play();
    QVERIFY(listener.until([&] { return listener.step > 10; }));
    config.batch_size = 1;
    config.schedule.learning_rate = 0.125;
    config.seed = 99;  // the model keeps the seed that it began with
    loop.setConfig(config);
    QVERIFY(listener.until([&] { return listener.history.steps.back().learning_rate == 0.125; }));
    QCOMPARE(listener.history.steps.front().learning_rate, TrainConfig{}.schedule.learning_rate);
    const Document document = loop.document().get();
    QCOMPARE(document.train.schedule.learning_rate, 0.125);
    QCOMPARE(document.train.seed, 3U);
    QCOMPARE(document.state.seed, 3U);
    config.clip_norm = -1.0;
    TFM_VERIFY_ERROR(loop.setConfig(config), "clip_norm is -1");
    QCOMPARE(loop.document().get().train.clip_norm, TrainConfig{}.clip_norm);
  }

  /// What is shown of an open model is computed as it is trained, whatever else is trained beside
  /// it.
  void theOpenModelChoosesTheKernels() {
    TrainConfig same;
    same.same_numbers = true;
    TrainingLoop loop(documentOf("rot13", "rot13", same), 1);
    QVERIFY(tfm::sameNumbers());
    QCOMPARE(loop.drain().device, std::string(tfm::kSameNumbers));
    const Document other = documentOf("rot13", "rot13");
    const Trainer beside(makeTask(other), other.state, other.train, 1);
    QCOMPARE(beside.backend().name(), "cpu");
    QVERIFY(tfm::sameNumbers());
    loop.setConfig({});
    loop.document().wait();
    QVERIFY(!tfm::sameNumbers());
    QTRY_COMPARE(loop.drain().device, std::string("cpu"));
  }

  void stopsAtLossAndAccuracy() {
    for (const bool by_loss : {true, false}) {
      TrainConfig config;
      config.evaluate_every = 10;
      config.stop.steps = 100'000;
      (by_loss ? config.stop.loss : config.stop.accuracy) = by_loss ? 1.5 : 0.01;
      TrainingLoop loop(documentOf("rot13", "rot13", config), 1);
      Listener listener(loop);
      loop.play();
      QVERIFY(listener.until([&] { return !listener.events.empty(); }));
      const std::string& reason = listener.events.front().text;
      QVERIFY(reason.find(by_loss ? "loss" : "accuracy") != std::string::npos);
      const std::vector<Evaluation>& all = listener.history.evaluations;
      QCOMPARE(all.back().step, listener.events.front().step);
      const auto reached = [&](const Evaluation& e) {
        return by_loss ? e.loss <= config.stop.loss : e.accuracy >= config.stop.accuracy;
      };
      QVERIFY(reached(all.back()));
      QCOMPARE(std::count_if(all.begin(), all.end(), reached), 1);
    }
  }

  void resetForgets() {
    TrainingLoop loop(quickDocument(), 1);
    Listener listener(loop);
    const Document fresh = loop.document().get();
    for (int i = 0; i < 5; ++i) loop.stepOnce();
    QVERIFY(listener.until([&] { return listener.step == 5 && !listener.running; }));
    const std::vector<StepMetrics> first = listener.history.steps;
    loop.reset(fresh.train.seed);
    QVERIFY(listener.untilCommandsAreDone());
    QVERIFY(listener.until([&] { return listener.step == 0; }));
    const Document forgotten = loop.document().get();
    QVERIFY(sameState(forgotten.state, fresh.state));
    QVERIFY(forgotten.history == History{} && listener.history == History{});
    for (int i = 0; i < 5; ++i) loop.stepOnce();
    QVERIFY(listener.until([&] { return listener.step == 5 && !listener.running; }));
    QCOMPARE(withoutTime(listener.history.steps), withoutTime(first));

    loop.reset(fresh.train.seed + 1);
    const Document other = loop.document().get();
    QVERIFY(other.state.parameters != fresh.state.parameters);
    QCOMPARE(other.state.seed, fresh.train.seed + 1);
    QCOMPARE(other.train.seed, fresh.train.seed + 1);
  }

  void newsNeverSpeakOfAnOlderStep() {
    TrainConfig config;
    config.evaluate_every = 1;  // time between a step and the end of the round
    TrainingLoop loop(quickDocument(config), 1);
    Listener listener(loop);
    loop.play();
    QVERIFY(listener.until([&] {
      return listener.step >= 30 || (!listener.history.steps.empty() &&
                                     listener.history.steps.back().step > listener.step);
    }));
    QVERIFY(listener.history.steps.back().step <= listener.step);
    loop.pause();
    QVERIFY(listener.untilCommandsAreDone());
    // Commands of one batch: the news are read after the reset and before the next round.
    std::promise<void> queued;
    std::promise<LoopNews> read;
    loop.post([&](Trainer&) { queued.get_future().wait(); });
    loop.reset(1);
    loop.post([&](Trainer&) { read.set_value(loop.drain()); });
    queued.set_value();
    const LoopNews news = read.get_future().get();
    QVERIFY(news.replaced && news.replaced->history == History{});
    QCOMPARE(news.step, std::int64_t{0});
  }

  void snapshotsHoldOnlyWhatWasAskedFor() {
    TrainingLoop loop(documentOf("rot13", "rot13"), 1);
    Listener listener(loop);
    const auto next = [&](const Looking& looking) {
      listener.snapshot.reset();
      loop.look(looking);
      return listener.until([&] { return listener.snapshot != nullptr; });
    };
    Looking looking;
    looking.parameters = true;
    QVERIFY(next(looking));
    QVERIFY(listener.snapshot->state != nullptr && listener.snapshot->norms.empty());
    QVERIFY(listener.snapshot->observed.empty() && listener.snapshot->samples.empty());
    QVERIFY(listener.snapshot->state->first_moment.empty());
    looking.moments = true;
    QVERIFY(next(looking));
    QCOMPARE(listener.snapshot->state->first_moment.size(),
             listener.snapshot->state->parameters.size());
    looking = {};
    looking.norms = true;
    QVERIFY(next(looking));
    const std::size_t parameters = loop.document().get().state.layout.parameters.size();
    QCOMPARE(listener.snapshot->norms.size(), parameters);
    QVERIFY(listener.snapshot->state == nullptr && listener.snapshot->sites.empty());
    looking = {};
    looking.question = "hey";
    looking.pattern = "*.cross_attention.probabilities";
    QVERIFY(next(looking));
    QCOMPARE(listener.snapshot->observed.size(), std::size_t{1});
    QCOMPARE(listener.snapshot->sites.size(), std::size_t{3});
    QCOMPARE(listener.snapshot->probe.question, std::string("hey"));
    QVERIFY(listener.snapshot->problem.empty() && listener.snapshot->samples.empty());
    looking = {};
    looking.samples = {"ma", "dood"};
    QVERIFY(next(looking));
    QCOMPARE(listener.snapshot->samples.size(), std::size_t{2});
    QVERIFY(listener.snapshot->observed.empty());
    looking = {};
    looking.question = "HEY!";
    QVERIFY(next(looking));
    QVERIFY(listener.snapshot->problem.find("'H'") != std::string::npos);

    listener.snapshot.reset();
    loop.look({});
    loop.stepOnce();
    QVERIFY(listener.until([&] { return listener.step == 1; }));
    QVERIFY(listener.untilCommandsAreDone());
    QVERIFY(listener.snapshot == nullptr);
  }

  void theLatestSnapshotWins() {
    TrainConfig config;
    config.stop.steps = 50;
    TrainingLoop loop(quickDocument(config), 1);
    Looking looking;
    looking.parameters = true;
    loop.look(looking, 1e9);
    loop.play();
    const auto done = [&] { return loop.document().get().state.step == 50; };
    QTRY_VERIFY_WITH_TIMEOUT(done(), 60'000);
    loop.document().wait();
    QTRY_VERIFY_WITH_TIMEOUT(!loop.document().get().history.steps.empty(), 60'000);
    Listener listener(loop);
    // Training ends with a picture of its last weights.
    QVERIFY(listener.until([&] { return listener.snapshot && listener.snapshot->step == 50; }));
    QVERIFY(listener.snapshots <= 2);
    QVERIFY(listener.snapshot->state->parameters == loop.document().get().state.parameters);
    QCOMPARE(listener.history.steps.size(), std::size_t{50});
  }

  /// A look takes as long as many steps here.
  void trainingDoesNotWaitForALook() {
    TrainConfig config;
    config.batch_size = 1;
    TrainingLoop loop(quickDocument(config), 1);
    Looking looking;
    looking.question = "hey";
    looking.pattern = "*";
    for (int i = 0; i < 3000; ++i) looking.samples.emplace_back("hey");
    Listener listener(loop);
    loop.play();
    loop.look(looking);
    // A busy machine may run the look alone for a while, but not every time.
    std::int64_t meanwhile = 0;
    for (int look = 0; look < 20 && meanwhile <= 10; ++look) {
      listener.snapshot.reset();
      QVERIFY(listener.until([&] { return listener.snapshot != nullptr; }));
      meanwhile = listener.step - listener.snapshot->step;
    }
    QVERIFY2(meanwhile > 10, qPrintable(QString::number(meanwhile)));
  }

  void aLookAtAModelThatIsGoneIsNotTold() {
    TrainingLoop loop(documentOf("rot13", "rot13"), 1);
    Looking looking;
    for (int i = 0; i < 3000; ++i) looking.samples.emplace_back("hey");
    Listener listener(loop);
    loop.stepOnce();
    loop.look(looking);
    QVERIFY(listener.untilCommandsAreDone());
    loop.reset(1);
    QVERIFY(listener.until([&] { return listener.snapshot != nullptr; }));
    QCOMPARE(listener.snapshot->step, 0);
  }

  void postedCommandsRunBetweenSteps() {
    TrainingLoop loop(quickDocument(), 1);
    std::atomic<std::int64_t> seen{-1};
    loop.play();
    loop.post([&](Trainer& trainer) { seen = trainer.state().step; });
    QTRY_VERIFY_WITH_TIMEOUT(seen >= 0, 60'000);
  }

  void canBeDestroyedWhileRunning() {
    for (int i = 0; i < 20; ++i) {
      TrainingLoop loop(quickDocument(), 1 + i % 3);
      Looking looking;
      looking.parameters = looking.norms = true;
      loop.look(looking, 1e9);
      loop.setSpeed(i % 2 == 0 ? 0.0 : 1.0);
      loop.play();
      if (i % 4 == 0) QThread::msleep(2);
      loop.post([](Trainer&) {});
    }
  }

  void takesCommandsFromSeveralThreads() {
    TrainingLoop loop(quickDocument(), 2);
    Looking looking;
    looking.norms = looking.parameters = true;
    looking.question = "ab";
    looking.pattern = "*";
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&loop, &looking, t] {
        for (int i = 0; i < 30; ++i) {
          TrainConfig config;
          config.batch_size = 1 + i % 3;
          loop.setConfig(config);
          loop.look(i % 2 == 0 ? looking : Looking{}, 1e9);
          loop.setSpeed(i % 5 == 0 ? 1e4 : 0.0);
          i % 3 == 0 ? loop.pause() : loop.play();
          loop.stepOnce();
          if (i % 10 == 9) loop.reset(std::uint64_t(t));
          if (i % 7 == 0) static_cast<void>(loop.document().get());
          static_cast<void>(loop.drain());
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    loop.reset(0);
    loop.pause();
    Listener listener(loop);
    QVERIFY(listener.untilCommandsAreDone());
    loop.stepOnce();
    QVERIFY(listener.until([&] { return listener.step == 1; }));
    QVERIFY(listener.events.empty());
  }

  void refusesABadDocument() {
    Document document = quickDocument();
    document.train.batch_size = 0;
    TFM_VERIFY_ERROR(TrainingLoop(document, 1), "batch_size is 0");
  }
};

TFM_TEST(TestTrainingLoop)
#include "test_training_loop.moc"

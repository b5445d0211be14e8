// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <limits>
#include <utility>

#include "core/document/history.h"
#include "core/train/explosion.h"
#include "tests/test_program.h"

using namespace tfm::train;

class TestHistory : public QObject {
  Q_OBJECT

 private slots:
  void coursesPartWhereALossDiffers() {
    const auto course = [](std::initializer_list<double> losses) {
      History history;
      for (const double loss : losses) {
        StepMetrics& step = history.steps.emplace_back();
        step.step = std::int64_t(history.steps.size());
        step.loss = loss;
      }
      return history;
    };
    constexpr auto kNever = std::numeric_limits<std::int64_t>::max();
    QCOMPARE(lastCommonStep(course({3, 2, 1}), course({3, 2, 0.5, 0.2})), std::int64_t(2));
    QCOMPARE(lastCommonStep(course({3, 2}), course({3, 2, 0.5})), kNever);  // goes on from it
    QCOMPARE(lastCommonStep(course({}), course({3})), kNever);
    QCOMPARE(lastCommonStep(course({3}), course({2})), std::int64_t(-1));
  }

  void aMuchWorseModelIsTold() {
    const auto course = [](std::initializer_list<std::pair<int, double>> parts) {
      History history;
      for (const auto& [steps, loss] : parts)
        for (int i = 0; i < steps; ++i) history.steps.push_back({.loss = loss});
      return history;
    };
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    QVERIFY(std::isnan(LossWatch(course({{19, 1.0}})).recent()));
    const LossWatch risen(course({{20, 1.0}, {10, 3.0}}));
    QCOMPARE(risen.recent(), 2.0);
    QCOMPARE(risen.lowest(), 1.0);
    QVERIFY(!isMuchHigher(2.5, 1.0) && isMuchHigher(2.51, 1.0));
    QVERIFY(!isMuchHigher(9.0, kNaN));  // nothing to compare with

    History good = course({{40, 1.0}});
    const History exploded = course({{40, 1.0}, {20, 2.6}});
    QVERIFY(isMuchWorse(exploded, kNaN, good));
    QVERIFY(isMuchWorse(exploded, kNaN, exploded));  // than it was itself
    QVERIFY(!isMuchWorse(course({{40, 1.0}, {20, 2.4}}), 99.0, good));
    QVERIFY(!isMuchWorse(exploded, kNaN, course({{19, 1.0}})));
    good.evaluations.resize(2);
    good.evaluations[0].loss = 2.0;
    good.evaluations[1].loss = 1.0;
    QVERIFY(!isMuchWorse(exploded, 2.4, good));  // it answers as well as before
    QVERIFY(isMuchWorse(exploded, 2.6, good) && isMuchWorse(exploded, kNaN, good));
    // Overfitted: what it learns from, it knows better than ever.
    QVERIFY(!isMuchWorse(course({{40, 1.0}, {20, 0.1}}), 5.0, good));
  }

  void forgetsWhatIsLater() {
    History history;
    for (std::int64_t step = 1; step <= 10; ++step) {
      history.steps.push_back({.step = step});
      if (step % 2 == 0) history.evaluations.emplace_back().step = step;
      addEvent(history, {step, EventKind::Note, "at " + std::to_string(step)});
    }
    truncateAfter(history, 6);
    QCOMPARE(history.steps.size(), std::size_t{6});
    QCOMPARE(history.evaluations.size(), std::size_t{3});
    QCOMPARE(history.events.size(), std::size_t{6});
    QCOMPARE(history.events.back().text, std::string("at 6"));
    truncateAfter(history, 6);
    QCOMPARE(history.steps.size(), std::size_t{6});
    truncateAfter(history, 0);
    QVERIFY(history == History{});
  }

  void eventsStayWithinWhatAFileMayHold() {
    History history;
    addEvent(history, {1, EventKind::Note, std::string(kLongestEvent, 'x')});
    QVERIFY(history.events[0].text.size() <= kLongestEvent);
    addEvent(history, {1, EventKind::Note, std::string(3 * kLongestEvent, 'x')});
    QVERIFY(history.events[1].text.size() <= kLongestEvent);
    QVERIFY(history.events[1].text.ends_with("x..."));
    for (std::size_t i = 0; i < kMaxEvents; ++i)
      addEvent(history, {std::int64_t(i), EventKind::Growth, "wider"});
    QCOMPARE(history.events.size(), kMaxEvents);
    QCOMPARE(history.events.front().text, std::string("wider"));  // the oldest went
  }

  void everyKindHasItsWord() {
    QVERIFY(eventName(EventKind::Growth) == "growth");
    QVERIFY(eventName(EventKind::LearningRate) == "learning_rate");
    QVERIFY(eventName(EventKind::Restored) == "restored");
    QVERIFY(eventName(EventKind::Note) == "note");
  }
};

TFM_TEST(TestHistory)
#include "test_history.moc"

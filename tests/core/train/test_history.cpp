// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <limits>

#include "core/train/history.h"

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

  void forgetsWhatIsLater() {
    History history;
    for (std::int64_t step = 1; step <= 10; ++step) {
      history.steps.push_back({.step = step});
      if (step % 2 == 0) history.evaluations.emplace_back().step = step;
      addEvent(history, {step, EventKind::Note, "at " + std::to_string(step)});
    }
    forgetAfter(history, 6);
    QCOMPARE(history.steps.size(), std::size_t{6});
    QCOMPARE(history.evaluations.size(), std::size_t{3});
    QCOMPARE(history.events.size(), std::size_t{6});
    QCOMPARE(history.events.back().text, std::string("at 6"));
    forgetAfter(history, 6);
    QCOMPARE(history.steps.size(), std::size_t{6});
    forgetAfter(history, 0);
    QVERIFY(history == History{});
  }

  void eventsStayWithinWhatAFileMayHold() {
    History history;
    addEvent(history, {1, EventKind::Note, std::string(kLongestEvent, 'x')});
    QVERIFY(history.events[0].text.size() <= kLongestEvent);
    addEvent(history, {1, EventKind::Note, std::string(3 * kLongestEvent, 'x')});
    QVERIFY(history.events[1].text.size() <= kLongestEvent);
    QVERIFY(history.events[1].text.ends_with("x..."));
    for (std::size_t i = 0; i < kMostEvents; ++i)
      addEvent(history, {std::int64_t(i), EventKind::Growth, "wider"});
    QCOMPARE(history.events.size(), kMostEvents);
    QCOMPARE(history.events.front().text, std::string("wider"));  // the oldest went
  }

  void everyKindHasItsWord() {
    QVERIFY(eventWord(EventKind::Growth) == "growth");
    QVERIFY(eventWord(EventKind::LearningRate) == "learning_rate");
    QVERIFY(eventWord(EventKind::Restored) == "restored");
    QVERIFY(eventWord(EventKind::Note) == "note");
  }
};

QTEST_GUILESS_MAIN(TestHistory)
#include "test_history.moc"

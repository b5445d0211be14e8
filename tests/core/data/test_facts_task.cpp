// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <map>
#include <set>
#include <string>

#include "core/data/task_table.h"
#include "tests/test_program.h"

using namespace tfm::data;

namespace {

std::unique_ptr<Task> factsOf(std::int64_t people) {
  TaskConfig config = defaultTaskConfig("facts");
  config.alphabet_size = people;
  return makeTask(config);
}

std::map<std::string, std::string> allOf(const Task& task, Split split, std::uint64_t seed,
                                         std::int64_t first = 0) {
  std::map<std::string, std::string> facts;
  for (std::int64_t i = first; i < first + task.exampleCount(split); ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    const Example one = task.example(split, seed, index);
    facts[task.questionText(split, seed, index)] =
        task.targetVocabulary().token(one.target.front());
  }
  return facts;
}

}  // namespace

class TestFactsTask : public QObject {
  Q_OBJECT

 private slots:
  void everyPairOfPeopleIsOneFact() {
    const auto task = factsOf(26);
    QCOMPARE(task->exampleCount(Split::Training), 26 * 25);
    const auto facts = allOf(*task, Split::Training, 1);
    QCOMPARE(facts.size(), 650U);  // no fact twice, no epoch leaves one out
    QVERIFY(facts.contains("anna gave ben") && facts.contains("ben gave anna"));
    QVERIFY(!facts.contains("anna gave anna"));
    QCOMPARE(allOf(*task, Split::Training, 1, 650), facts);  // the next epoch, in another order
    QVERIFY(task->example(Split::Training, 1, 0) != task->example(Split::Training, 1, 650));
  }

  void whatIsAskedIsWhatIsLearnt() {
    const auto task = factsOf(9);
    QVERIFY(!task->hasHeldOutExamples());
    QVERIFY(makeTask(defaultTaskConfig("sentiment"))->hasHeldOutExamples());
    QCOMPARE(allOf(*task, Split::Evaluation, 0), allOf(*task, Split::Training, 3));
  }

  void factsAreTheSameForEverySeedAndEveryNumberOfPeople() {
    const auto few = factsOf(5), all = factsOf(26);
    QCOMPARE(allOf(*few, Split::Training, 1), allOf(*few, Split::Training, 2));
    const auto known = allOf(*all, Split::Training, 0);
    for (const auto& [question, thing] : allOf(*few, Split::Training, 0))
      QCOMPARE(known.at(question), thing);
    // Documents that learned them stay right.
    QCOMPARE(known.at("anna gave ben"), std::string("cake"));
    QCOMPARE(known.at("ben gave anna"), std::string("shoe"));
  }

  void noRuleGivesThem() {
    // Of 650 draws of 16 things each comes 41 times, give or take 6; more would be a rule of its
    // own.
    std::map<std::string, int> times;
    std::map<std::string, std::map<std::string, int>> by_giver, by_taker;
    for (const auto& [question, thing] : allOf(*factsOf(26), Split::Evaluation, 0)) {
      ++times[thing];
      ++by_giver[question.substr(0, question.find(' '))][thing];
      ++by_taker[question.substr(question.rfind(' ') + 1)][thing];
    }
    QCOMPARE(times.size(), 16U);
    for (const auto& [thing, count] : times) QVERIFY2(count > 20 && count < 62, thing.c_str());
    // The best guess from one name alone: the thing that this name goes with most.
    for (const auto* people : {&by_giver, &by_taker}) {
      int right = 0;
      for (const auto& [name, things] : *people) {
        int most = 0;
        for (const auto& [thing, count] : things) most = std::max(most, count);
        right += most;
      }
      QVERIFY2(right < 0.2 * 650, qPrintable(QString::number(right)));
    }
  }

  void aQuestionIsTypedInWords() {
    const auto task = factsOf(26);
    const Example one = task->example(Split::Evaluation, 0, 7);
    const std::string question = task->questionText(Split::Evaluation, 0, 7);
    QCOMPARE(task->encodeInput(question), one.source);
    QCOMPARE(task->encodeInput("Anna gave Ben?"), task->encodeInput("anna gave ben"));
    QVERIFY(task->inputNotice("anna gave xerxes").find("not in the vocabulary") !=
            std::string::npos);
  }
};

TFM_TEST(TestFactsTask)
#include "test_facts_task.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <set>
#include <vector>

#include "core/data/task_table.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm::data;

namespace {

/// The questions of the first `count` examples that are longer than `longer_than`.
std::set<Ids> questions(const Task& task, Split split, std::uint64_t seed, std::uint64_t count,
                        std::size_t longer_than) {
  std::set<Ids> result;
  for (std::uint64_t i = 0; i < count; ++i) {
    Ids source = task.example(split, seed, i).source;
    if (source.size() > longer_than) result.insert(std::move(source));
  }
  return result;
}

std::size_t commonTo(const std::set<Ids>& a, const std::set<Ids>& b) {
  std::vector<Ids> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both.size();
}

/// Pearson's statistic against equal shares.
double chiSquared(const std::vector<int>& counts) {
  double total = 0;
  for (const int count : counts) total += count;
  const double expected = total / static_cast<double>(counts.size());
  double sum = 0;
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

std::vector<int> lengthCounts(const Task& task, Split split) {
  std::vector<int> counts(14);
  for (std::uint64_t i = 0; i < 14000; ++i)
    ++counts.at(task.example(split, 3, i).source.size() - 1);
  return counts;
}

std::int64_t valueOf(const std::string& digits) { return std::stoll(digits); }

bool balances(const std::string& text) {
  int depth = 0;
  for (const char c : text)
    if ((depth += c == '(' ? 1 : -1) < 0) return false;
  return depth == 0;
}

constexpr double kThousandthOf13 = 34.53;  // chi squared with 13 degrees of freedom, p = 0.001
constexpr double kThousandthOf25 = 52.62;

}  // namespace

class TestGeneratedTasks : public QObject {
  Q_OBJECT

 private slots:
  void rot13LengthsAreUniform() {
    const auto task = makeTask(TaskConfig{});
    for (const Split split : {Split::Training, Split::Evaluation}) {
      const double statistic = chiSquared(lengthCounts(*task, split));
      QVERIFY2(statistic < kThousandthOf13, qPrintable(QString::number(statistic)));
    }
  }

  void theTestSeesLengthsThatAreNotUniform() {
    std::vector<int> counts(14, 1000);
    counts[0] = 850;  // as if one word of a letter in seven were lost
    counts[13] = 1150;
    QVERIFY(chiSquared(counts) > kThousandthOf13);
  }

  void rot13LettersAreUniform() {
    const auto task = makeTask(TaskConfig{});
    std::vector<int> counts(26);
    for (std::uint64_t i = 0; i < 5000; ++i)
      for (const std::int32_t id : task->example(Split::Training, 1, i).source)
        ++counts.at(static_cast<std::size_t>(id));
    QVERIFY(chiSquared(counts) < kThousandthOf25);
  }

  void rot13ShiftsBy13() {
    const auto task = makeTask(TaskConfig{});
    for (std::uint64_t i = 0; i < 200; ++i) {
      const Example example = task->example(Split::Training, 0, i);
      QCOMPARE(example.target.size(), example.source.size());
      for (std::size_t k = 0; k < example.source.size(); ++k)
        QCOMPARE(example.target[k], (example.source[k] + 13) % 26);
    }
    QCOMPARE(task->sourceVocabulary(), Vocabulary::annotated());
    QCOMPARE(task->maxSourceLength(), 15);
    QCOMPARE(task->maxTargetLength(), 15);
    QVERIFY(task->form() == TaskForm::SameLength);
  }

  void rot13NeedsTheWholeAlphabet() {
    TaskConfig config;
    config.alphabet_size = 10;
    TFM_VERIFY_ERROR(makeTask(config), "alphabet_size is 10; rot13 needs 26");
  }

  void wordsAreAnswered() {
    const auto check = [](const char* kind, auto answer) {
      TaskConfig config = defaultTaskConfig(kind);
      config.alphabet_size = 6;
      const auto task = makeTask(config);
      for (std::uint64_t i = 0; i < 100; ++i) {
        const Example example = task->example(Split::Evaluation, 0, i);
        QCOMPARE(task->answerText(example.target),
                 answer(task->sourceVocabulary().decode(example.source)));
      }
    };
    check("copy", [](std::string word) { return word; });
    check("reverse", [](std::string word) { return std::string(word.rbegin(), word.rend()); });
    check("sort", [](std::string word) {
      std::sort(word.begin(), word.end());
      return word;
    });
  }

  void sidesNeverMeet_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("shared");       // questions up to this length are too few to be split
    QTest::newRow("copy") << "copy" << 4;  // 4^4 = 256 words, 4^5 = 1024
    QTest::newRow("sort") << "sort" << 4;
    QTest::newRow("addition") << "addition" << 0;
    QTest::newRow("parentheses") << "parentheses" << 14;  // 429 balanced ones, then 1430
  }

  void sidesNeverMeet() {
    QFETCH(QString, kind);
    QFETCH(int, shared);
    TaskConfig config = defaultTaskConfig(kind.toStdString());
    config.alphabet_size = 4;
    const auto task = makeTask(config);
    const auto longer_than = static_cast<std::size_t>(shared);
    const auto training = questions(*task, Split::Training, 1, 8000, longer_than);
    const auto evaluation = questions(*task, Split::Evaluation, 2, 2000, longer_than);
    QCOMPARE(commonTo(training, evaluation), 0U);
    QVERIFY(evaluation.size() > 100);
    // The same words do come again on their own side, so that two ordinary streams would have met.
    QVERIFY(commonTo(training, questions(*task, Split::Training, 2, 2000, longer_than)) > 20);
  }

  void shortWordsAreShared() {
    const auto task = makeTask(TaskConfig{});
    const auto ofOneLetter = [&](Split split) {
      std::set<Ids> words;
      for (std::uint64_t i = 0; i < 14000; ++i) {
        Ids word = task->example(split, 0, i).source;
        if (word.size() == 1) words.insert(std::move(word));
      }
      return words;
    };
    QCOMPARE(ofOneLetter(Split::Training).size(), 26U);
    QCOMPARE(ofOneLetter(Split::Evaluation).size(), 26U);
  }

  void theShareIsKept() {
    // Of all 17,576 words of three letters, a fifth is for evaluation.
    int evaluation = 0;
    for (std::int32_t i = 0; i < 17576; ++i)
      evaluation +=
          splitOf(stableHash(Ids{i / 676, i / 26 % 26, i % 26}), 0.2) == Split::Evaluation;
    QVERIFY2(std::abs(evaluation - 3515) < 200, qPrintable(QString::number(evaluation)));
  }

  void theHashNeverChanges() {
    // Another value would move words across in documents that are already trained.
    QCOMPARE(stableHash(Ids{}), std::uint64_t{0xF52A15E9A9B5E89B});
    QCOMPARE(stableHash(Ids{7, 4, 24}), std::uint64_t{0x8D47C334C847D43A});
  }

  void exchangedSummandsAreOnOneSide() {
    TaskConfig config = defaultTaskConfig("addition");
    const auto task = makeTask(config);
    const auto exchanged = [](const Ids& source) {
      const auto plus = std::find(source.begin(), source.end(), 10);
      Ids result(plus + 1, source.end());
      result.push_back(10);
      result.insert(result.end(), source.begin(), plus);
      return result;
    };
    std::set<Ids> mirrored;
    for (const Ids& source : questions(*task, Split::Evaluation, 0, 3000, 0))
      mirrored.insert(exchanged(source));
    QCOMPARE(commonTo(mirrored, questions(*task, Split::Training, 0, 9000, 0)), 0U);
  }

  void sumsAreRight() {
    for (const bool fixed : {false, true}) {
      TaskConfig config = defaultTaskConfig("addition");
      config.digits = 3;
      config.fixed_digits = fixed;
      const auto task = makeTask(config);
      std::set<std::size_t> lengths;
      for (std::uint64_t i = 0; i < 500; ++i) {
        const Example example = task->example(Split::Training, 0, i);
        const std::string question = task->sourceVocabulary().decode(example.source);
        const std::string answer = task->answerText(example.target);
        const std::size_t plus = question.find('+');
        QCOMPARE(valueOf(answer),
                 valueOf(question.substr(0, plus)) + valueOf(question.substr(plus + 1)));
        QVERIFY(static_cast<std::int64_t>(example.source.size()) <= task->maxSourceLength());
        QVERIFY(static_cast<std::int64_t>(example.target.size()) < task->maxTargetLength());
        lengths.insert(question.size());
        if (fixed)
          QCOMPARE(answer.size(), 4U);
        else
          QVERIFY(answer == "0" || answer.front() != '0');
      }
      QCOMPARE(lengths.size(), fixed ? 1U : 5U);
    }
  }

  void nineDigitsFit() {
    TaskConfig config = defaultTaskConfig("addition");
    config.digits = 9;
    const auto task = makeTask(config);
    for (std::uint64_t i = 0; i < 100; ++i)
      QVERIFY(task->example(Split::Training, 0, i).target.size() <= 10);
  }

  void parenthesesAreLabelledRightAndHalfBalanced() {
    const auto task = makeTask(defaultTaskConfig("parentheses"));
    int balanced = 0;
    int equal_counts = 0;
    for (std::uint64_t i = 0; i < 4000; ++i) {
      const Example example = task->example(Split::Training, 0, i);
      const std::string text = task->sourceVocabulary().decode(example.source);
      QVERIFY(text.size() >= 2 && text.size() <= 24);
      QCOMPARE(task->answerText(example.target),
               std::string(balances(text) ? "balanced" : "unbalanced"));
      balanced += balances(text);
      equal_counts +=
          !balances(text) && 2 * std::count(text.begin(), text.end(), '(') == std::ssize(text);
    }
    QVERIFY2(std::abs(balanced - 2000) < 130, qPrintable(QString::number(balanced)));
    QVERIFY2(std::abs(equal_counts - 1000) < 120, qPrintable(QString::number(equal_counts)));
  }

  void balancedStringsAreUniform() {
    TaskConfig config = defaultTaskConfig("parentheses");
    config.max_length = 6;
    const auto task = makeTask(config);
    std::vector<std::string> kinds{"((()))", "(()())", "(())()", "()(())", "()()()"};
    std::vector<int> counts(kinds.size());
    for (std::uint64_t i = 0; i < 12000; ++i) {
      const std::string text =
          task->sourceVocabulary().decode(task->example(Split::Training, 0, i).source);
      const auto found = std::find(kinds.begin(), kinds.end(), text);
      if (found != kinds.end()) ++counts[static_cast<std::size_t>(found - kinds.begin())];
    }
    QVERIFY(chiSquared(counts) < 18.47);  // 4 degrees of freedom, p = 0.001
  }

  void examplesArePure() {
    for (const char* kind : {"rot13", "addition", "parentheses"}) {
      const auto task = makeTask(defaultTaskConfig(kind));
      const Example example = task->example(Split::Training, 9, 1234567890123);
      QCOMPARE(task->example(Split::Training, 9, 1234567890123), example);
      int different = 0;
      for (std::uint64_t i = 0; i < 20; ++i)
        different += task->example(Split::Training, 9, i) != task->example(Split::Training, 8, i);
      QVERIFY(different > 10);
      QCOMPARE(task->exampleCount(Split::Training), 0);
    }
  }
};

TFM_TEST(TestGeneratedTasks)
#include "test_generated_tasks.moc"

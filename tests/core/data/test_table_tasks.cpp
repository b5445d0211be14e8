// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <set>
#include <string>

#include "core/data/task_table.h"
#include "core/data/tokenizer/tokenizer.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm::data;

namespace {

TaskConfig tableConfig(const char* kind, std::string text) {
  TaskConfig config = defaultTaskConfig(kind);
  config.text = std::move(text);
  return config;
}

/// Row i of a hundred questions with two answers each.
std::string row(int i) {
  return QString("q%1\t%2\n").arg(i / 2).arg(i % 2 == 0 ? "yes" : "no").toStdString();
}

std::string allRows() {
  std::string text;
  for (int i = 0; i < 200; ++i) text += row(i);
  return text;
}

/// A hundred sentences with two translations each.
std::string allSentences() {
  std::string text;
  for (int i = 0; i < 100; ++i)
    for (const char* verb : {"voit", "regarde"})
      text += QString("The cat sees %1.\tLe chat %2 %1 !\n").arg(i).arg(verb).toStdString();
  return text;
}

TaskConfig subwords(std::string text) {
  TaskConfig config = tableConfig("pairs", std::move(text));
  config.tokenizer = "bpe";
  return config;
}

std::multiset<std::string> rowsOfSide(const Task& task, Split split) {
  std::multiset<std::string> rows;
  for (std::int64_t i = 0; i < task.exampleCount(split); ++i)
    rows.insert(task.sourceVocabulary().decode(
        task.example(split, 4, static_cast<std::uint64_t>(i)).source));
  return rows;
}

}  // namespace

class TestTableTasks : public QObject {
  Q_OBJECT

 private slots:
  void pairsLearnTheirVocabularies() {
    const auto task = makeTask(tableConfig("pairs", "Go.\tVa !\nRun!\tCours !\tattribution\n"));
    QCOMPARE(task->sourceVocabulary().describe(), std::string("! . G R n o u"));
    QCOMPARE(task->targetVocabulary().describe(), std::string("␣ ! C V a o r s u"));
    QCOMPARE(task->jointVocabulary().vocabulary().describe(),
             std::string("␣ ! . C G R V a n o r s u"));
    QCOMPARE(task->exampleCount(Split::Training), 1);
    QCOMPARE(task->exampleCount(Split::Evaluation), 1);
    const Sample sample = task->sample(0);
    QVERIFY(sample == (Sample{"Go.", "Va !"}) || sample == (Sample{"Run!", "Cours !"}));
    QVERIFY(task->form() != TaskForm::SameLength);
  }

  void longRowsAreCountedAndNotCut() {
    TaskConfig config = tableConfig("pairs", "éé\tx\nabcd\tx\nabc\ty\nz\tabcd\n");
    config.max_length = 4;
    const auto task = makeTask(config);
    QCOMPARE(task->leftOut(), 2);
    QCOMPARE(task->exampleCount(Split::Training) + task->exampleCount(Split::Evaluation), 2);
    QCOMPARE(task->sourceVocabulary().find("d"), -1);
    config.max_length = 5;
    QCOMPARE(makeTask(config)->leftOut(), 0);
    config.max_length = 2;
    TFM_VERIFY_ERROR(makeTask(config), "all 4 rows are too long for max_length 2");
    config.max_length = 3;
    TFM_VERIFY_ERROR(makeTask(config), "3 rows are too long");
  }

  void sameQuestionsStayOnOneSide() {
    const auto task = makeTask(tableConfig("pairs", allRows()));
    const auto training = rowsOfSide(*task, Split::Training);
    const auto evaluation = rowsOfSide(*task, Split::Evaluation);
    QCOMPARE(training.size(), 180U);  // exactly a tenth of the questions is held out
    QCOMPARE(evaluation.size(), 20U);
    for (const std::string& question : training) {
      QVERIFY(!evaluation.contains(question));
      QCOMPARE(training.count(question), 2U);
    }
  }

  void theOrderOfTheRowsDoesNotMatterForTheSplit() {
    std::string reversed;
    for (int i = 199; i >= 0; --i) reversed += row(i);
    QCOMPARE(rowsOfSide(*makeTask(tableConfig("pairs", reversed)), Split::Evaluation),
             rowsOfSide(*makeTask(tableConfig("pairs", allRows())), Split::Evaluation));
  }

  void pairsOfBytePairsShareOneVocabulary() {
    const TaskConfig config = subwords(allSentences());
    const auto task = makeTask(config);
    QCOMPARE(task->tokenizerName(), std::string_view("bpe"));
    QCOMPARE(task->sourceVocabulary(), task->targetVocabulary());
    QCOMPARE(task->jointVocabulary().vocabulary(), task->targetVocabulary());
    QVERIFY(task->targetVocabulary().start() >= 0 && task->targetVocabulary().pad() >= 0);
    QVERIFY2(task->sourceVocabulary().find(" chat") >= 0, "learned from the answers");
    QVERIFY2(task->sourceVocabulary().find(" cat") >= 0, "and from the questions");
    std::set<std::string> training;
    for (std::uint64_t i = 0; i < std::uint64_t(task->exampleCount(Split::Training)); ++i) {
      const Example example = task->example(Split::Training, 3, i);
      const std::string question = task->questionText(Split::Training, 3, i);
      training.insert(question);
      QCOMPARE(task->inputText(example.source), question);
      QCOMPARE(task->answerText(example.target), task->rightAnswerText(Split::Training, 3, i));
      QCOMPARE(task->encodeInput(question), example.source);
    }
    const std::int64_t held_out = task->exampleCount(Split::Evaluation);
    QCOMPARE(held_out, 20);  // a tenth of the questions, both answers of each
    for (std::uint64_t i = 0; i < std::uint64_t(held_out); ++i)
      QVERIFY(!training.contains(task->questionText(Split::Evaluation, 0, i)));
  }

  void theVocabularyIsLearntFromTheTrainingRowsAlone() {
    // "ж" is in two answers to one question: held out, both are unknown, and are still known as
    // the right answers.
    std::string text = allSentences();
    int unknown = 0;
    for (int i = 0; i < 30; ++i) {
      const std::string name = "zz" + std::to_string(i);
      const auto task = makeTask(subwords(text + name + "\tжж\n" + name + "\tж ж\n"));
      bool held_out = false;
      for (std::uint64_t e = 0; e < std::uint64_t(task->exampleCount(Split::Evaluation)); ++e) {
        if (task->questionText(Split::Evaluation, 0, e) != name) continue;
        held_out = true;
        const Ids target = task->example(Split::Evaluation, 0, e).target;
        QVERIFY(std::ranges::find(target, task->targetVocabulary().unknown()) != target.end());
        QVERIFY(task->rightAnswerText(Split::Evaluation, 0, e).find("ж") != std::string::npos);
      }
      QCOMPARE(task->targetVocabulary().find("ж") < 0, held_out);
      unknown += held_out;
    }
    QVERIFY2(unknown > 0 && unknown < 30, "both cases were seen");
  }

  void theSplitDoesNotDependOnTheVocabulary() {
    TaskConfig config = subwords(allSentences());
    const auto task = makeTask(config);
    const auto questions = [](const Task& of) {
      std::multiset<std::string> all;
      for (std::uint64_t i = 0; i < std::uint64_t(of.exampleCount(Split::Evaluation)); ++i)
        all.insert(of.questionText(Split::Evaluation, 0, i));
      return all;
    };
    config.vocabulary_size = 40;
    const auto other = makeTask(config);
    QVERIFY(other->sourceVocabulary().size() < task->sourceVocabulary().size());
    QCOMPARE(questions(*other), questions(*task));
    config.vocabulary = vocabularyText(task->sourceVocabulary());
    QCOMPARE(makeTask(config)->sourceVocabulary(), task->sourceVocabulary());
  }

  void longRowsOfBytePairsAreCountedAndNotCut() {
    TaskConfig config = subwords(allSentences() + "a b c d e f g h i j k l m n o p q r s\tx\n");
    config.max_length = 16;
    const auto task = makeTask(config);
    QCOMPARE(task->leftOut(), 1);
    config.max_length = 3;
    TFM_VERIFY_ERROR(makeTask(config), "rows are too long");
  }

  void answersNeedATokenizerThatWrites() {
    TaskConfig config = subwords(allSentences());
    for (const char* reads : {"word", "wordpiece"}) {
      config.tokenizer = reads;
      TFM_VERIFY_ERROR(makeTask(config), "cannot write text");
      TFM_VERIFY_ERROR(makeTask(config), "task.tokenizer");
    }
    config.tokenizer = "bpe";
    config.vocabulary = "<pad>\n<unknown>\na\n";
    TFM_VERIFY_ERROR(makeTask(config), "no token <start>");
    config = subwords("a\tb\na\tc\n");
    TFM_VERIFY_ERROR(makeTask(config), "fewer than two different questions");
  }

  void epochsAreShuffledEvaluationIsNot() {
    const auto task = makeTask(tableConfig("pairs", allRows()));
    const auto order = [&](Split split, std::uint64_t seed, std::uint64_t first) {
      std::vector<Ids> sources;
      for (std::uint64_t i = 0; i < 20; ++i)
        sources.push_back(task->example(split, seed, first + i).source);
      return sources;
    };
    QCOMPARE(order(Split::Training, 1, 0), order(Split::Training, 1, 0));
    QVERIFY(order(Split::Training, 1, 0) != order(Split::Training, 1, 180));
    QVERIFY(order(Split::Training, 1, 0) != order(Split::Training, 2, 0));
    QCOMPARE(order(Split::Evaluation, 1, 0), order(Split::Evaluation, 2, 20));
  }

  void classesHaveLabels() {
    const auto task =
        makeTask(tableConfig("classes", "good film\tpos\nbad film\tneg\nfine\tpos\n"));
    QCOMPARE(task->targetVocabulary().tokens(), (std::vector<std::string>{"neg", "pos"}));
    QCOMPARE(task->maxTargetLength(), 1);
    for (std::uint64_t i = 0; i < 2; ++i) {
      const Sample sample = task->sample(i);
      QCOMPARE(sample.target, std::string(sample.source == "bad film" ? "neg" : "pos"));
    }
    QVERIFY(task->sourceVocabulary().pad() >= 0);
  }

  void theLabelMayComeFirst() {
    TaskConfig config = tableConfig("classes", "1\tgood\n0\tbad\n");
    config.label_first = true;
    QCOMPARE(makeTask(config)->targetVocabulary().tokens(), (std::vector<std::string>{"0", "1"}));
  }

  void wrongLabelsAreRefused() {
    TFM_VERIFY_ERROR(makeTask(tableConfig("classes", "a\tx\nb\tx\n")), "1 different labels");
    std::string swapped;
    for (int i = 0; i < 300; ++i)
      swapped += std::to_string(i % 2) + "\ttext " + std::to_string(i) + "\n";
    TFM_VERIFY_ERROR(makeTask(tableConfig("classes", swapped)), "300 different labels");
    TFM_VERIFY_ERROR(makeTask(tableConfig("classes", swapped)), "set label_first");
  }

  void wrongTablesAreRefused() {
    TFM_VERIFY_ERROR(makeTask(tableConfig("pairs", "only one column\n")), "column");
    TFM_VERIFY_ERROR(makeTask(tableConfig("classes", "a\tb\tc\n")), "column");
    TFM_VERIFY_ERROR(makeTask(tableConfig("pairs", "a\tb\nc\n")), "2");
    TFM_VERIFY_ERROR(makeTask(tableConfig("pairs", "\n\n")), "row");
    TFM_VERIFY_ERROR(makeTask(tableConfig("pairs", "a\tb\na\tc\n")),
                     "fewer than two different questions");
    TFM_VERIFY_ERROR(makeTask(tableConfig("pairs", "a\t\xFE\n")), "UTF-8");
    TaskConfig missing = defaultTaskConfig("pairs");
    missing.path = "/no/such/table.tsv";
    TFM_VERIFY_ERROR(makeTask(missing), "/no/such/table.tsv");
  }
};

TFM_TEST(TestTableTasks)
#include "test_table_tasks.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <set>

#include "core/data/builtin_text.h"
#include "core/data/corpus.h"
#include "core/data/task_table.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm::data;

namespace {

/// A text whose character i is the code point 256 + i, so that a window tells where it was taken.
std::string numberedText(int length) {
  QString text;
  for (int i = 0; i < length; ++i) text += QChar(0x100 + i);
  return text.toStdString();
}

TaskConfig textConfig(std::string text, std::int64_t context) {
  TaskConfig config = defaultTaskConfig("text");
  config.text = std::move(text);
  config.context_length = context;
  return config;
}

/// All characters (as ids) that one pass over a side reads or predicts.
std::set<std::int32_t> charactersOfSide(const Task& task, Split split) {
  std::set<std::int32_t> result;
  for (std::int64_t i = 0; i < task.exampleCount(split); ++i) {
    const Example example = task.example(split, 0, static_cast<std::uint64_t>(i));
    result.insert(example.source.begin(), example.source.end());
    result.insert(example.target.begin(), example.target.end());
  }
  return result;
}

}  // namespace

class TestTextTask : public QObject {
  Q_OBJECT

 private slots:
  void theTargetIsTheNextCharacter() {
    const auto task = makeTask(textConfig(numberedText(500), 7));
    for (const Split split : {Split::Training, Split::Evaluation})
      for (std::uint64_t i = 0; i < 100; ++i) {
        const Example example = task->example(split, 1, i);
        QCOMPARE(example.source.size(), 7U);
        QCOMPARE(example.target.size(), 7U);
        for (std::size_t k = 0; k < 7; ++k) QCOMPARE(example.target[k], example.source[k] + 1);
      }
  }

  void sidesShareNoCharacter_data() {
    QTest::addColumn<int>("length");
    QTest::addColumn<int>("context");
    QTest::addColumn<double>("held_out");
    for (const double held_out : {0.01, 0.1, 0.5})
      for (const int context : {1, 7, 64})
        for (const int length : {130, 999, 5000})
          QTest::addRow("%d %d %g", length, context, held_out) << length << context << held_out;
  }

  void sidesShareNoCharacter() {
    QFETCH(int, length);
    QFETCH(int, context);
    QFETCH(double, held_out);
    TaskConfig config = textConfig(numberedText(length), context);
    config.held_out = held_out;
    const auto task = makeTask(config);
    const auto training = charactersOfSide(*task, Split::Training);
    const auto evaluation = charactersOfSide(*task, Split::Evaluation);
    for (const std::int32_t id : evaluation) QVERIFY(!training.contains(id));
    // Hardly anything is lost, and the evaluation has its share, or one window.
    const auto used = static_cast<int>(training.size() + evaluation.size());
    QVERIFY2(used >= length - 10 * context, qPrintable(QString::number(used)));
    QVERIFY(static_cast<double>(evaluation.size()) <= std::max(held_out * length, context + 1.0));
    QVERIFY(static_cast<double>(evaluation.size()) >= held_out * length - 10 * (context + 1));
  }

  void evaluationPredictsEveryCharacterOnce() {
    const auto task = makeTask(textConfig(numberedText(2000), 10));
    std::multiset<std::int32_t> predicted;
    for (std::int64_t i = 0; i < task->exampleCount(Split::Evaluation); ++i) {
      const Ids target = task->example(Split::Evaluation, 0, static_cast<std::uint64_t>(i)).target;
      predicted.insert(target.begin(), target.end());
    }
    for (const std::int32_t id : predicted) QCOMPARE(predicted.count(id), 1U);
  }

  void anEpochReadsEveryWindowOnce() {
    const auto task = makeTask(textConfig(numberedText(400), 5));
    const auto count = static_cast<std::uint64_t>(task->exampleCount(Split::Training));
    const auto firstCharacters = [&](std::uint64_t epoch) {
      std::vector<std::int32_t> result;
      for (std::uint64_t i = 0; i < count; ++i)
        result.push_back(task->example(Split::Training, 3, epoch * count + i).source.front());
      return result;
    };
    std::vector<std::int32_t> first = firstCharacters(0);
    std::vector<std::int32_t> second = firstCharacters(1);
    QVERIFY(first != second);
    QCOMPARE(std::set(first.begin(), first.end()).size(), count);
    std::sort(first.begin(), first.end());
    std::sort(second.begin(), second.end());
    QCOMPARE(first, second);
  }

  void ofALongPromptTheEndIsRead() {
    const auto task = makeTask(textConfig(numberedText(400), 8));
    const std::string prompt = task->questionText(Split::Training, 0, 0);
    const std::string begin = task->questionText(Split::Training, 0, 1);
    QVERIFY(begin != prompt);
    const std::string longer = begin + begin + prompt;
    QVERIFY(task->readInput(longer).tokens > 8);
    QCOMPARE(task->encodeInput(longer), task->encodeInput(prompt));
    QVERIFY(task->inputNotice(prompt).empty());
    QVERIFY(QByteArray(task->inputNotice(longer).c_str()).startsWith("only the last 8 of 24 char"));
  }

  void tooShortATextIsRefused() {
    TFM_VERIFY_ERROR(makeTask(textConfig(numberedText(17), 8)),
                     "the text has 17 characters; a context_length of 8 needs at least 18");
    TFM_VERIFY_ERROR(makeTask(textConfig(numberedText(18), 8)), "no error");
  }

  void hasABuiltInText() {
    const auto task = makeTask(defaultTaskConfig("text"));
    QVERIFY(builtinText().size() > 4000 && builtinText().size() < 8000);
    QCOMPARE(task->sourceVocabulary().size(), 30);
    QCOMPARE(task->sourceVocabulary().describe(), std::string("⏎ ␣ , . a-z"));
  }

  void readsFiles() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("text.txt").toStdString();
    const auto write = [&](const std::string& bytes) {
      std::ofstream(path, std::ios::binary) << bytes;
    };
    TaskConfig config = textConfig("", 2);
    config.path = path;
    TFM_VERIFY_ERROR(makeTask(config), "text.txt");
    write("");
    TFM_VERIFY_ERROR(makeTask(config), "empty");
    write("abc\xFF def");
    TFM_VERIFY_ERROR(makeTask(config), "UTF-8");
    write("one\r\ntwo\rthree");
    QCOMPARE(readCorpus(config).text, std::string("one\ntwo\rthree"));
    config.text = "kept in the document";
    QCOMPARE(readCorpus(config).text, config.text);
    config.text = "bad \xC3";
    TFM_VERIFY_ERROR(makeTask(config), "UTF-8");
  }

  void aLineIsAText() {
    TaskConfig config = textConfig("emma\n\nolivia\nava\nbartholomew\nzoe\nia", 8);
    config.by_line = true;
    config.held_out = 0.3;
    const auto task = makeTask(config);
    const Vocabulary& letters = task->sourceVocabulary();
    const std::int32_t end = letters.find("\n");
    QCOMPARE(end, std::int32_t(letters.size()) - 1);
    QCOMPARE(task->exampleCount(Split::Training) + task->exampleCount(Split::Evaluation), 6);
    std::set<std::string> seen;
    for (const Split split : {Split::Training, Split::Evaluation})
      for (std::int64_t i = 0; i < task->exampleCount(split); ++i) {
        const Example e = task->example(split, 3, std::uint64_t(i));
        QCOMPARE(e.source.front(), end);
        QCOMPARE(e.source.size(), e.target.size());
        QVERIFY(std::equal(e.source.begin() + 1, e.source.end(), e.target.begin()));
        QCOMPARE(e.target.back() == end, e.source.size() < 8);
        seen.insert(letters.decode(e.target));  // without the end
      }
    QCOMPARE(seen, (std::set<std::string>{"emma", "olivia", "ava", "bartholo", "zoe", "ia"}));
    QCOMPARE(task->cutExamples(Split::Training) + task->cutExamples(Split::Evaluation), 1);
    // What is typed begins a line, and the answer is the rest of it.
    QCOMPARE(task->encodeInput("em"), (Ids{end, letters.find("e"), letters.find("m")}));
    QCOMPARE(task->encodeInput(""), Ids{end});
    QCOMPARE(task->ends(), Ids{end});
    const auto kept = TextCodec::fromJson(task->toJson(), letters, letters, "document");
    QCOMPARE(kept->encodeInput("em"), task->encodeInput("em"));
    QCOMPARE(kept->ends(), Ids{end});
    QCOMPARE(makeTask(textConfig("emma\nolivia", 2))->ends(), Ids{-1});
    config.text = "emma\nemma\n";
    TFM_VERIFY_ERROR(makeTask(config), "no two different lines");
  }

  void unknownCharactersAreNamed() {
    const auto task = makeTask(defaultTaskConfig("text"));
    TFM_VERIFY_ERROR(task->encodeInput("the Sun"), "'S' (character 5)");
    TFM_VERIFY_ERROR(task->encodeInput("the sun"), "no error");
  }
};

TFM_TEST(TestTextTask)
#include "test_text_task.moc"

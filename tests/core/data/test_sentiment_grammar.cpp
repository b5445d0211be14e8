// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <set>

#include "core/data/sentiment_grammar.h"
#include "core/data/task_table.h"
#include "tests/test_program.h"

using namespace tfm::data;

namespace {

const QStringList kPraise =
    QString(
        "good great clever funny warm fresh moving gripping charming brilliant lovely superb "
        "witty tender smart elegant works shines convinces delights sparkles succeeds")
        .split(' ');
const QStringList kBlame =
    QString(
        "bad poor dull weak slow boring clumsy silly flat tired empty awful dreadful lazy messy "
        "stale drags fails bores annoys disappoints stumbles")
        .split(' ');

/// A clause by itself, by looking words up in its text.
int clauseValue(const QString& clause) {
  const QStringList words = clause.split(' ', Qt::SkipEmptyParts);
  const auto anyOf = [&](const char* list) {
    for (const QString& word : QString(list).split(' '))
      if (words.contains(word)) return true;
    return false;
  };
  int value = 0;
  int turns = 0;
  for (const QString& word : words) {
    if (kPraise.contains(word)) value = 2;
    if (kBlame.contains(word)) value = -2;
    if (QString("never hardly not far nobody wrong").split(' ').contains(word)) ++turns;
  }
  if (anyOf("really truly very so all")) value *= 2;
  if (anyOf("somewhat slightly rather fairly")) value /= 2;
  return turns % 2 == 0 ? value : -value;
}

/// The polarity by cutting the text at its joining words, sentence by sentence: another way than
/// the grammar's own, which goes from word to word.
int textValue(const QString& review) {
  int sum = 0;
  for (QString sentence : review.split(" .", Qt::SkipEmptyParts)) {
    sentence = sentence.trimmed();
    const int although = sentence.indexOf("although ");
    if (const int but = sentence.indexOf(" , but "); but >= 0) {
      sum += clauseValue(sentence.left(but)) + 2 * clauseValue(sentence.mid(but + 7));
    } else if (const int though = sentence.indexOf(" , though "); though >= 0) {
      sum += 2 * clauseValue(sentence.left(though)) + clauseValue(sentence.mid(though + 10));
    } else if (although >= 0) {
      const int comma = sentence.indexOf(" , ", although);
      sum += clauseValue(sentence.left(comma)) + 2 * clauseValue(sentence.mid(comma + 3));
    } else {
      for (const QString& clause : sentence.split(" and ")) sum += clauseValue(clause);
    }
  }
  return sum;
}

const Task& task() {
  static const auto task = makeTask(defaultTaskConfig("sentiment"));
  return *task;
}

/// How often a linear model of word counts is right on examples it has not learned from.
double bagOfWordsAccuracy() {
  std::vector<double> weights(static_cast<std::size_t>(task().sourceVocabulary().size()));
  double bias = 0.0;
  const auto score = [&](const Ids& review) {
    double sum = bias;
    for (const std::int32_t word : review) sum += weights[static_cast<std::size_t>(word)];
    return sum;
  };
  for (std::uint64_t i = 0; i < 40'000; ++i) {
    const Example example = task().example(Split::Training, 2, i);
    const double miss = example.target.front() - 1.0 / (1.0 + std::exp(-score(example.source)));
    const double rate = i < 20'000 ? 0.05 : 0.01;
    for (const std::int32_t word : example.source)
      weights[static_cast<std::size_t>(word)] += rate * miss;
    bias += rate * miss;
  }
  int right = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Example example = task().example(Split::Evaluation, 2, i);
    right += (score(example.source) > 0) == (example.target.front() == 1) ? 1 : 0;
  }
  return right / 2000.0;
}

Ids wordsOf(const char* text) {
  Ids words;
  for (const QString& word : QString(text).split(' ')) {
    const auto& all = sentimentWords();
    words.push_back(static_cast<std::int32_t>(
        std::find(all.begin(), all.end(), word.toStdString()) - all.begin()));
  }
  return words;
}

}  // namespace

class TestSentimentGrammar : public QObject {
  Q_OBJECT

 private slots:
  void polarityIsAsWritten_data() {
    QTest::addColumn<int>("value");
    const auto row = [](const char* text, int value) { QTest::newRow(text) << value; };
    row("the plot is good .", 2);
    row("the plot is bad .", -2);
    row("the plot is very bad .", -4);
    row("the plot slightly drags .", -1);
    row("the plot is not bad at all .", 4);
    row("nobody would say that the plot is not good .", 2);
    row("the plot is far from dull .", 2);
    row("the plot is dull and the cast shines .", 0);
    row("the plot is dull , but the cast shines .", 2);
    row("the cast shines , but the plot is dull .", -2);
    row("although the plot is dull , the cast shines .", 2);
    row("the plot is dull , though the cast shines .", -2);
    row("honestly , although the plot is dull , the cast shines .", 2);
    row("the cast shines . the plot is dull , but the score is rather silly .", -2);
  }

  void polarityIsAsWritten() {
    QFETCH(int, value);
    const char* text = QTest::currentDataTag();
    QCOMPARE(polarity(wordsOf(text)), std::int64_t(value));
    QCOMPARE(textValue(text), value);
  }

  void labelsFollowFromTheTexts() {
    for (const Split split : {Split::Training, Split::Evaluation})
      for (std::uint64_t i = 0; i < 5000; ++i) {
        const QString text = QString::fromStdString(task().questionText(split, 1, i));
        const int value = textValue(text);
        QVERIFY2(value != 0, text.toUtf8());
        QVERIFY2((value > 0) == (task().example(split, 1, i).target.front() == 1), text.toUtf8());
      }
  }

  void theTestSeesAWrongLabel() {
    // Without the turning words the label would be another one for many texts.
    int others = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      QString text = QString::fromStdString(task().questionText(Split::Training, 1, i));
      const int value = textValue(text);
      text.replace(" not ", " ").replace(" never ", " ").replace(" hardly ", " ");
      others += (textValue(text) > 0) != (value > 0) ? 1 : 0;
    }
    QVERIFY2(others > 200, qPrintable(QString::number(others)));
  }

  void bothClassesAreEquallyLikely() {
    int positive = 0;
    for (std::uint64_t i = 0; i < 20'000; ++i)
      positive += task().example(Split::Training, 1, i).target.front();
    QVERIFY2(std::abs(positive - 10'000) < 300, qPrintable(QString::number(positive)));
  }

  void reviewsHaveFourToThirtyWords() {
    std::size_t shortest = 100, longest = 0;
    for (std::uint64_t i = 0; i < 50'000; ++i) {
      const std::size_t length = task().example(Split::Training, 4, i).source.size();
      shortest = std::min(shortest, length);
      longest = std::max(longest, length);
    }
    QCOMPARE(shortest, 4U);
    QVERIFY(longest > 24 && longest <= std::size_t(kLongestReview));
  }

  void sidesNeverMeet() {
    std::set<Ids> training;
    for (std::uint64_t i = 0; i < 20'000; ++i)
      training.insert(task().example(Split::Training, 1, i).source);
    for (std::uint64_t i = 0; i < 5000; ++i)
      QVERIFY(!training.contains(task().example(Split::Evaluation, 7, i).source));
    QVERIFY(training.size() < 20'000);  // some reviews come again, so meeting would be noticed
  }

  void examplesAreAFunctionOfTheirNumber() {
    const auto again = makeTask(defaultTaskConfig("sentiment"));
    for (std::uint64_t i = 0; i < 50; ++i)
      QCOMPARE(again->example(Split::Training, 9, i), task().example(Split::Training, 9, i));
    QVERIFY(task().example(Split::Training, 9, 0) != task().example(Split::Training, 8, 0));
  }

  void textsAreReadAsTheyAreWritten() {
    for (std::uint64_t i = 0; i < 500; ++i)
      QCOMPARE(task().encodeInput(task().questionText(Split::Training, 1, i)),
               task().example(Split::Training, 1, i).source);
  }

  void countingWordsIsNotEnough() {
    const double accuracy = bagOfWordsAccuracy();
    QVERIFY2(accuracy < 0.65, qPrintable(QString::number(accuracy)));
  }
};

TFM_TEST(TestSentimentGrammar)
#include "test_sentiment_grammar.moc"

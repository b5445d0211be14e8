// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/data/batches.h"
#include "core/data/self_contained.h"
#include "core/data/task_statistics.h"
#include "core/data/task_table.h"
#include "core/data/tokenizer/special_tokens.h"
#include "core/tensor/random.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm::data;

namespace {

constexpr std::int64_t kLength = 40;

/// Word i of 200, in letters.
std::string word(std::int64_t i) {
  std::string text = "w";
  for (; i > 0; i /= 20) text += char('a' + i % 20);
  return text;
}

/// So many random words in lines of nine, every tenth of them there once.
std::string words(int count) {
  const tfm::Random random(1, 2);
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += i % 10 == 3 ? "once" + word(1000 + i) : word(random.integer(std::uint64_t(i), 200));
    text += i % 9 == 8 ? '\n' : ' ';
  }
  return text;
}

TaskConfig maskedConfig(std::string text = words(20'000)) {
  TaskConfig config = defaultTaskConfig("masked");
  config.text = std::move(text);
  config.max_length = kLength;
  return config;
}

/// What happened to the hidden tokens of the first examples of a side.
struct Shares {
  std::int64_t tokens = 0;  ///< that could be hidden
  double hidden = 0, masked = 0, other = 0, same = 0;
};

Shares sharesOf(const Task& task, Split split, std::uint64_t examples) {
  const std::int32_t mask = task.sourceVocabulary().find(kMaskToken);
  const std::int32_t pad = task.targetVocabulary().pad();
  const std::int32_t unknown = task.sourceVocabulary().unknown();
  Shares s;
  for (std::uint64_t i = 0; i < examples; ++i) {
    const Example e = task.example(split, 5, i);
    for (std::size_t k = 0; k < e.source.size(); ++k) {
      s.tokens += e.source[k] != unknown;
      if (e.target[k] == pad) continue;
      s.hidden += 1;
      (e.source[k] == mask ? s.masked : e.source[k] == e.target[k] ? s.same : s.other) += 1;
    }
  }
  for (double* share : {&s.masked, &s.other, &s.same}) *share /= s.hidden;
  s.hidden /= double(s.tokens);
  return s;
}

/// Whether tokens are hidden as in training (Devlin et al. 2019, section 3.1).
bool isBertsRule(const Shares& s) {
  const auto is = [](double share, double wanted) { return std::abs(share - wanted) < 0.02; };
  return is(s.hidden, 0.15) && is(s.masked, 0.8) && is(s.other, 0.1) && is(s.same, 0.1);
}

/// The positions of an example that are hidden.
std::vector<std::size_t> hiddenIn(const Task& task, const Example& example) {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < example.target.size(); ++k)
    if (example.target[k] != task.targetVocabulary().pad()) places.push_back(k);
  return places;
}

}  // namespace

class TestMaskedTask : public QObject {
  Q_OBJECT

 private slots:
  void hidesAsBertDoes() {
    const auto task = makeTask(maskedConfig());
    QVERIFY(task->exampleCount(Split::Training) > 400);
    QVERIFY(isBertsRule(sharesOf(*task, Split::Training, 1500)));
    TaskConfig more = maskedConfig();
    more.mask_rate = 0.5;
    const Shares half = sharesOf(*makeTask(more), Split::Training, 400);
    QVERIFY(std::abs(half.hidden - 0.5) < 0.02 && !isBertsRule(half));
  }

  /// The control of the one above: another rule does not pass.
  void theHeldOutSideHidesAllItAsksFor() {
    const auto task = makeTask(maskedConfig());
    const auto count = std::uint64_t(task->exampleCount(Split::Evaluation));
    const Shares s = sharesOf(*task, Split::Evaluation, count);
    QVERIFY(!isBertsRule(s));
    QCOMPARE(s.masked, 1.0);
    QVERIFY(std::abs(s.hidden - 0.15) < 0.02);
    for (std::uint64_t i = 0; i < count; ++i)
      QCOMPARE(task->example(Split::Evaluation, kEvaluationSeed, i),
               task->example(Split::Evaluation, kEvaluationSeed, i + count));
  }

  void eachEpochHidesOthers() {
    const auto task = makeTask(maskedConfig());
    const auto count = std::uint64_t(task->exampleCount(Split::Training));
    const auto original = [&](const Example& e) {
      Ids ids = e.source;
      for (const std::size_t k : hiddenIn(*task, e)) ids[k] = e.target[k];
      return ids;
    };
    std::map<Ids, std::vector<std::size_t>> first;
    for (std::uint64_t i = 0; i < count; ++i) {
      const Example e = task->example(Split::Training, 5, i);
      QVERIFY(task->example(Split::Training, 5, i) == e);
      first[original(e)] = hiddenIn(*task, e);
    }
    QCOMPARE(first.size(), std::size_t(count));  // every text once
    std::int64_t same = 0;
    for (std::uint64_t i = count; i < 2 * count; ++i) {
      const Example e = task->example(Split::Training, 5, i);
      QVERIFY(first.contains(original(e)));
      same += first.at(original(e)) == hiddenIn(*task, e);
    }
    QVERIFY2(same < 5, qPrintable(QString::number(same)));
    QVERIFY(task->example(Split::Training, 5, 0) != task->example(Split::Training, 6, 0));
  }

  void everyPlaceIsChosenAlike() {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += word(i * 7 % 200 / (1 + i % 3)) + ' ';
    const auto task = makeTask(maskedConfig(text));
    std::vector<int> chosen(kLength);
    constexpr int kExamples = 4000;
    for (std::uint64_t i = 0; i < kExamples; ++i) {
      const Example e = task->example(Split::Training, 5, i);
      if (std::ssize(e.source) == kLength)
        for (const std::size_t k : hiddenIn(*task, e)) ++chosen[k];
    }
    for (const int count : chosen) QVERIFY2(std::abs(count - 600) < 120, "expected 15 % of 4000");
  }

  void specialTokensAreNeverChosen() {
    const auto task = makeTask(maskedConfig());
    const Vocabulary& vocabulary = task->targetVocabulary();
    QCOMPARE(vocabulary.token(std::int32_t(vocabulary.size() - 1)), std::string(kMaskToken));
    std::int64_t unknown = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      const Example e = task->example(Split::Training, 5, i);
      unknown += std::ranges::count(e.source, vocabulary.unknown());
      for (std::size_t k = 0; k < e.source.size(); ++k) {
        const bool ordinary =
            e.target[k] == vocabulary.pad() ||
            (!vocabulary.isSpecial(e.target[k]) && vocabulary.token(e.target[k]) != kMaskToken);
        QVERIFY(ordinary);
        // Neither is one put in the place of a hidden token, except the mask.
        if (e.target[k] != vocabulary.pad())
          QVERIFY(!vocabulary.isSpecial(e.source[k]) ||
                  vocabulary.token(e.source[k]) == kMaskToken);
        QVERIFY(e.source[k] != vocabulary.pad());
      }
    }
    QVERIFY(unknown > 1000);  // there was something to avoid
  }

  void theShortestTextHidesOneToken() {
    TaskConfig lines = maskedConfig("one\ntwo\none two\ntwo one\none\n");
    lines.by_line = true;
    lines.mask_rate = 0.01;
    const auto task = makeTask(lines);
    for (const Split split : {Split::Training, Split::Evaluation})
      for (std::uint64_t i = 0; i < 10; ++i)
        QCOMPARE(hiddenIn(*task, task->example(split, 5, i)).size(), std::size_t(1));
  }

  void linesAndWindows() {
    TaskConfig lines = maskedConfig(words(18'000));
    lines.by_line = true;
    lines.max_length = 6;
    const auto by_line = makeTask(lines);
    std::set<std::size_t> lengths;
    for (std::uint64_t i = 0; i < 50; ++i)
      lengths.insert(by_line->example(Split::Training, 5, i).source.size());
    QCOMPARE(lengths, (std::set<std::size_t>{3, 6}));  // of nine words
    const auto windows = makeTask(maskedConfig());
    QCOMPARE(windows->exampleCount(Split::Training) + windows->exampleCount(Split::Evaluation),
             20'000 / kLength);
    QCOMPARE(windows->exampleCount(Split::Evaluation), 50);
  }

  void onlyHiddenTokensAreInTheLoss() {
    const auto task = makeTask(maskedConfig());
    const tfm::Batch batch = trainingBatch(*task, Framing::TokenLabels, 5, 0, 8);
    QCOMPARE(batch.source_length, kLength);
    float sum = 0;
    std::size_t counted = 0;
    for (std::size_t i = 0; i < batch.labels.size(); ++i) {
      const bool hidden = batch.labels[i] != task->targetVocabulary().pad();
      QCOMPARE(batch.label_weights[i] > 0, hidden);
      sum += batch.label_weights[i];
      counted += hidden;
    }
    QVERIFY(counted > 0 && counted < batch.labels.size() / 4);
    QVERIFY(std::abs(sum - 1) < 1e-5F);
    // A question alone has no label.
    const Example question{task->encodeInput("wab [MASK]"), {}};
    const tfm::Batch asked = frame(*task, Framing::TokenLabels, std::span(&question, 1));
    QVERIFY(std::ranges::all_of(asked.label_weights, [](float w) { return w == 0; }));
  }

  void readsWhatItShows_data() {
    QTest::addColumn<QByteArray>("tokenizer");
    for (const char* name : {"word", "character"}) QTest::newRow(name) << QByteArray(name);
  }
  void readsWhatItShows() {
    QFETCH(const QByteArray, tokenizer);
    TaskConfig chosen = maskedConfig();
    chosen.tokenizer = tokenizer.toStdString();
    const auto task = makeTask(chosen);
    for (std::uint64_t i = 0; i < 20; ++i) {
      const std::string shown = task->questionText(Split::Evaluation, kEvaluationSeed, i);
      QVERIFY(shown.find(kMaskToken) != std::string::npos);
      Ids read = task->example(Split::Evaluation, kEvaluationSeed, i).source;
      if (tokenizer == "character") {  // white space at the ends does not count
        while (task->sourceVocabulary().token(read.back()) == " ") read.pop_back();
        while (task->sourceVocabulary().token(read.front()) == " ") read.erase(read.begin());
      }
      QCOMPARE(task->encodeInput(shown), read);
    }
  }

  void readsTheMaskToken() {
    const auto task = makeTask(maskedConfig());
    const Vocabulary& v = task->sourceVocabulary();
    const std::int32_t mask = v.find(kMaskToken), known = v.find("wb");
    QCOMPARE(task->encodeInput("Wb [MASK] wb[MASK]"), (Ids{known, mask, known, mask}));
    QCOMPARE(task->encodeInput("[MASK]"), Ids{mask});
    QVERIFY(task->hides(mask) && !task->hides(known) && !task->hides(-1));
    const Ids plain = task->encodeInput("wb [mask]");
    QCOMPARE(plain.size(), std::size_t(4));
    QVERIFY(std::ranges::find(plain, mask) == plain.end());
    QVERIFY(task->inputNotice("wb wb").find("no token is hidden: write [MASK]") !=
            std::string::npos);
    QCOMPARE(task->inputNotice("wb [MASK]"), std::string());
    // Where nothing is hidden, as in other tasks, no text becomes a special token.
    const auto other = makeTask(defaultTaskConfig("sentiment"));
    QVERIFY(other->encodeInput("the [MASK]").size() > 2);
    QVERIFY(!other->hides(-1));
    QCOMPARE(task->answerText(Ids{v.pad(), known, v.pad(), known}), std::string("wb wb"));
  }

  void theVocabularyIsKept() {
    TaskConfig kept = withTexts(maskedConfig());
    QVERIFY(!isSelfContained(kept));
    const auto task = makeTask(kept);
    keepVocabulary(kept, *task);
    QVERIFY(isSelfContained(kept));
    kept.vocabulary_size = 16;  // not learned again
    QVERIFY(makeTask(kept)->sourceVocabulary() == task->sourceVocabulary());
    TaskConfig small = maskedConfig();
    small.vocabulary_size = 16;
    QCOMPARE(makeTask(small)->sourceVocabulary().size(), 16);
  }

  void jsonOfOtherTasksIsAsItWas() {
    QVERIFY(toJson(TaskConfig{}).find("mask") == std::string::npos);
    QVERIFY(toJson(TaskConfig{}).find("by_line") == std::string::npos);
    TaskConfig changed = maskedConfig("text");
    changed.mask_rate = 0.3;
    changed.by_line = true;
    QCOMPARE(taskConfigFromJson(toJson(changed)), changed);
  }

  void refuses() {
    TFM_VERIFY_ERROR(taskConfigFromJson(R"({"kind": "masked", "mask_rate": 0.95})"),
                     "mask_rate is 0.95; allowed are 0.01 to 0.9");
    TFM_VERIFY_ERROR(makeTask(maskedConfig("one one one")), "fewer than two different examples");
    TaskConfig given = maskedConfig();
    given.vocabulary = "<pad>\n<unknown>\nwa\n";
    TFM_VERIFY_ERROR(makeTask(given), "no token [MASK]");
    const auto task = makeTask(maskedConfig());
    TFM_VERIFY_ERROR(sizesOf(*task, Framing::NextToken), "cannot be learned");
    TFM_VERIFY_ERROR(sizesOf(*task, Framing::Classes), "hidden tokens an encoder");
    QCOMPARE(sizesOf(*task, Framing::TokenLabels).outputs, task->sourceVocabulary().size());
  }

  void bytePairsHideTokensWithTheirSpaces() {
    TaskConfig config = maskedConfig();
    config.tokenizer = "bpe";
    config.vocabulary_size = 300;
    config.by_line = true;
    const auto task = makeTask(config);
    const Vocabulary& vocabulary = task->sourceVocabulary();
    QCOMPARE(vocabulary.find(kMaskToken), vocabulary.size() - 1);
    QVERIFY(vocabulary.size() <= 300);
    for (std::uint64_t i = 0; i < 200; ++i) {
      const Example example = task->example(Split::Evaluation, 1, i);
      QVERIFY(std::ranges::count(example.source, vocabulary.find(kMaskToken)) > 0);
      // Typed, a question is read as it is in the evaluation.
      QCOMPARE(task->encodeInput(task->inputText(example.source)), example.source);
    }
    // Kept and read again: the same tokens.
    TaskConfig kept = withTexts(config);
    keepVocabulary(kept, *task);
    QCOMPARE(makeTask(kept)->sourceVocabulary(), vocabulary);
    QCOMPARE(makeTask(kept)->example(Split::Training, 2, 3), task->example(Split::Training, 2, 3));
  }
};

TFM_TEST(TestMaskedTask)
#include "test_masked_task.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <array>
#include <numeric>

#include "core/data/batches.h"
#include "core/data/framing.h"
#include "core/data/task_table.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::data;

namespace {

std::unique_ptr<Task> wordTask(const char* kind, LossPositions positions = LossPositions::All) {
  TaskConfig config = defaultTaskConfig(kind);
  config.max_length = 4;
  config.loss_positions = positions;
  return makeTask(config);
}

// Two words of the reverse task: "ab" and "abc".
const std::array kTwoWords{Example{{0, 1}, {1, 0}}, Example{{0, 1, 2}, {2, 1, 0}}};
constexpr std::int32_t kStart = 26;
constexpr std::int32_t kPad = 27;

std::vector<int> counted(const Batch& batch) {
  std::vector<int> result;
  for (const float weight : batch.label_weights) result.push_back(weight > 0);
  return result;
}

void verifyWeights(const Batch& batch, const std::vector<int>& expected) {
  QCOMPARE(counted(batch), expected);
  const auto count = std::accumulate(expected.begin(), expected.end(), 0);
  for (const float weight : batch.label_weights)
    QVERIFY(weight == 0 || weight == 1.0F / static_cast<float>(count));
}

}  // namespace

class TestFraming : public QObject {
  Q_OBJECT

 private slots:
  void seq2Seq() {
    const auto task = wordTask("reverse");
    const Batch batch = frame(*task, Framing::Seq2Seq, kTwoWords);
    QCOMPARE(batch.size, 2);
    QCOMPARE(batch.source_length, 4);
    QCOMPARE(batch.target_length, 4);
    QCOMPARE(batch.source, (Ids{0, 1, kPad, kPad, 0, 1, 2, kPad}));
    QCOMPARE(batch.source_pad, (std::vector<std::uint8_t>{0, 0, 1, 1, 0, 0, 0, 1}));
    QCOMPARE(batch.target, (Ids{kStart, 1, 0, kPad, kStart, 2, 1, 0}));
    QCOMPARE(batch.labels, (Ids{1, 0, kPad, kPad, 2, 1, 0, kPad}));
    QVERIFY(batch.target_pad.empty());
    verifyWeights(batch, {1, 1, 1, 1, 1, 1, 1, 1});
  }

  void firstPadKeepsOnePad() {
    const auto task = wordTask("reverse", LossPositions::FirstPad);
    verifyWeights(frame(*task, Framing::Seq2Seq, kTwoWords), {1, 1, 1, 0, 1, 1, 1, 1});
    verifyWeights(frame(*task, Framing::TokenLabels, kTwoWords), {1, 1, 1, 0, 1, 1, 1, 1});
  }

  void tokenLabels() {
    const auto task = wordTask("reverse");
    const Batch batch = frame(*task, Framing::TokenLabels, kTwoWords);
    QCOMPARE(batch.target_length, 0);
    QVERIFY(batch.target.empty());
    QCOMPARE(batch.source, (Ids{0, 1, kPad, kPad, 0, 1, 2, kPad}));
    QCOMPARE(batch.labels, (Ids{1, 0, kPad, kPad, 2, 1, 0, kPad}));
    verifyWeights(batch, {1, 1, 1, 1, 1, 1, 1, 1});
  }

  void nextTokenCountsOnlyTheAnswer() {
    const Batch all = frame(*wordTask("reverse"), Framing::NextToken, kTwoWords);
    QCOMPARE(all.source_length, 0);
    QVERIFY(all.source.empty() && all.source_pad.empty() && all.target_pad.empty());
    QCOMPARE(all.target_length, 8);
    QCOMPARE(all.target, (Ids{0, 1, kStart, 1, 0, kPad, kPad, kPad,  //
                              0, 1, 2, kStart, 2, 1, 0, kPad}));
    QCOMPARE(all.labels, (Ids{kPad, kPad, 1, 0, kPad, kPad, kPad, kPad,  //
                              kPad, kPad, kPad, 2, 1, 0, kPad, kPad}));
    verifyWeights(all, {0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1});
    const auto first_pad = wordTask("reverse", LossPositions::FirstPad);
    verifyWeights(frame(*first_pad, Framing::NextToken, kTwoWords),
                  {0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0});
  }

  void nextTokenOfText() {
    TaskConfig config = defaultTaskConfig("text");
    config.context_length = 5;
    const auto task = makeTask(config);
    const std::array examples{task->example(Split::Training, 0, 0)};
    const Batch batch = frame(*task, Framing::NextToken, examples);
    QCOMPARE(batch.target_length, 5);
    QCOMPARE(batch.target, examples[0].source);
    QCOMPARE(batch.labels, examples[0].target);
    verifyWeights(batch, {1, 1, 1, 1, 1});
  }

  void nextTokenJoinsTwoVocabularies() {
    TaskConfig config = defaultTaskConfig("pairs");
    config.text = "ba\té\nc\tà\n";
    config.max_length = 3;
    const auto task = makeTask(config);
    const Vocabulary& joint = outputVocabulary(*task, Framing::NextToken);
    const std::array examples{
        Example{task->sourceVocabulary().encode("ba"), task->targetVocabulary().encode("é")}};
    const Batch batch = frame(*task, Framing::NextToken, examples);
    QCOMPARE(batch.target, (Ids{joint.find("b"), joint.find("a"), joint.start(), joint.find("é"),
                                joint.pad(), joint.pad()}));
    QCOMPARE(batch.labels[2], joint.find("é"));
    QCOMPARE(batch.labels[3], joint.pad());
    QCOMPARE(decoderPrompt(*task, Framing::NextToken, examples[0].source),
             (Ids{joint.find("b"), joint.find("a"), joint.start()}));
  }

  void classes() {
    TaskConfig config = defaultTaskConfig("parentheses");
    config.max_length = 4;
    const auto task = makeTask(config);
    const std::array examples{Example{{0, 1}, {1}}, Example{{1, 0, 1, 0}, {0}}};
    const Batch batch = frame(*task, Framing::Classes, examples);
    QCOMPARE(batch.source, (Ids{0, 1, 2, 2, 1, 0, 1, 0}));
    QCOMPARE(batch.source_pad, (std::vector<std::uint8_t>{0, 0, 1, 1, 0, 0, 0, 0}));
    QCOMPARE(batch.labels, (Ids{1, 0}));
    verifyWeights(batch, {1, 1});
  }

  void questionsWithoutAnswerWeighNothing() {
    const std::array question{Example{{0, 1}, {}}};
    for (const Framing framing : framingsOf(TaskForm::SameLength)) {
      const Batch batch = frame(*wordTask("rot13"), framing, question);
      QVERIFY(counted(batch) == std::vector<int>(batch.labels.size(), 0));
    }
    TaskConfig config = defaultTaskConfig("text");
    config.context_length = 3;
    const Batch batch = frame(*makeTask(config), Framing::NextToken, question);
    QCOMPARE(batch.target, (Ids{0, 1, 0}));
    verifyWeights(batch, {0, 0, 0});
  }

  /// What follows the last token of a text may not be known, and a model may answer nothing.
  void onlyKnownAnswersCount() {
    TaskConfig config = defaultTaskConfig("text");
    config.context_length = 4;
    const std::array text{Example{{0, 1, 0}, {1, 0}}};
    verifyWeights(frame(*makeTask(config), Framing::NextToken, text), {1, 1, 0, 0});
    const std::array nothing{Example{{0, 1}, {kPad}}};
    verifyWeights(frame(*wordTask("copy", LossPositions::FirstPad), Framing::Seq2Seq, nothing),
                  {1, 0, 0, 0});
    verifyWeights(frame(*wordTask("copy"), Framing::Seq2Seq, nothing), {1, 1, 1, 1});
  }

  void aBatchIsAsLongAsTrainingMakesIt() {
    TaskConfig config = defaultTaskConfig("parentheses");
    config.max_length = 12;
    const auto classes = makeTask(config);
    QCOMPARE(sourceLength(*classes, Framing::Classes, 1), 8);
    QCOMPARE(sourceLength(*classes, Framing::Classes, 8), 8);
    QCOMPARE(sourceLength(*classes, Framing::Classes, 9), 12);
    QCOMPARE(sourceLength(*wordTask("copy"), Framing::Seq2Seq, 1), 4);
    QCOMPARE(sourceLength(*wordTask("copy"), Framing::NextToken, 1), 0);
    QCOMPARE(sourceLength(*makeTask(defaultTaskConfig("regression")), Framing::Numbers, 2), 2);
    const std::array examples{Example{{0, 1}, {1}}, Example{{1, 0, 1}, {0}}};
    QCOMPARE(batchOf(*classes, Framing::Classes, examples).source_length, 8);
    const std::array rows{Example{{0, 1}, {}}, Example{{1, 0, 1}, {}}};
    TFM_VERIFY_ERROR(batchOf(*makeTask(defaultTaskConfig("regression")), Framing::Numbers, rows),
                     "different lengths");
  }

  void aTaskKnowsItsExamples() {
    const auto learned = [](const Task& task, const char* text) {
      return task.learned(task.encodeInput(text));
    };
    const auto parentheses = makeTask(defaultTaskConfig("parentheses"));
    QCOMPARE(learned(*parentheses, "(())")->target, (Ids{1}));
    QCOMPARE(learned(*parentheses, "())")->target, (Ids{0}));
    const auto reviews = makeTask(defaultTaskConfig("sentiment"));
    QCOMPARE(learned(*reviews, "the plot was not good .")->target, (Ids{0}));
    QVERIFY2(!learned(*reviews, "the plot ."), "it neither praises nor blames");
    QVERIFY2(!learned(*reviews, "the plot was zzz good ."), "a word is unknown");
    TaskConfig config = defaultTaskConfig("classes");
    config.text = "ab\tx\nab\ty\nb\ty\na\tx\n";
    QCOMPARE(learned(*makeTask(config), "b")->target, (Ids{1}));
    QVERIFY2(!learned(*makeTask(config), "ab"), "it has two labels");
    QVERIFY(!makeTask(config)->codec()->learned(Ids{0}));
    for (const TaskRow& row : taskTable()) {
      TaskConfig own = defaultTaskConfig(row.name);
      if (row.file == TaskFile::Needed) own.text = "one\tun\ntwo\tdeux\nthree\ttrois\n";
      const auto task = makeTask(own);
      if (task->form() == TaskForm::Masked) continue;  // a text cannot say what is exchanged
      for (const Split split : {Split::Training, Split::Evaluation}) {
        const Example example = task->example(split, 0, 0);
        const auto known = task->learned(example.source);
        QVERIFY2(known, std::string(row.name).c_str());
        if (task->form() != TaskForm::Text) QCOMPARE(*known, example);
      }
    }
  }

  void theSizesFitEveryBatch() {
    for (const TaskRow& row : taskTable()) {
      TaskConfig config = defaultTaskConfig(row.name);
      if (row.file == TaskFile::Needed) config.text = "one\tun\ntwo\tdeux\nthree\ttrois\n";
      const auto task = makeTask(config);
      std::vector<Example> examples;
      for (std::uint64_t i = 0; i < 200; ++i)
        examples.push_back(task->example(Split::Training, 0, i));
      for (const Framing framing : framingsOf(row.form)) {
        const FramedSizes sizes = sizesOf(*task, framing);
        const Batch batch = frame(*task, framing, examples);
        if (framing == Framing::Numbers) {
          QCOMPARE(std::ssize(batch.source_features),
                   200 * sizes.source_length * sizes.source_features);
          QCOMPARE(std::ssize(batch.label_features), 200 * sizes.source_length * sizes.outputs);
          continue;
        }
        QCOMPARE(std::ssize(batch.source), 200 * sizes.source_length);
        QCOMPARE(std::ssize(batch.target), 200 * sizes.target_length);
        QCOMPARE(batch.labels.size(), batch.label_weights.size());
        const auto below = [](std::int64_t bound) {
          return [bound](std::int32_t id) { return id >= 0 && id < bound; };
        };
        QVERIFY(
            std::all_of(batch.source.begin(), batch.source.end(), below(sizes.source_vocabulary)));
        QVERIFY(
            std::all_of(batch.target.begin(), batch.target.end(), below(sizes.target_vocabulary)));
        QVERIFY(std::all_of(batch.labels.begin(), batch.labels.end(), below(sizes.outputs)));
        const double sum =
            std::accumulate(batch.label_weights.begin(), batch.label_weights.end(), 0.0);
        QVERIFY(std::abs(sum - 1) < 1e-5);
      }
    }
  }

  void impossibleFramingsAreRefused() {
    const auto rot13 = wordTask("rot13");
    const auto addition = makeTask(defaultTaskConfig("addition"));
    TFM_VERIFY_ERROR(sizesOf(*rot13, Framing::Classes), "rot13 cannot be learned");
    TFM_VERIFY_ERROR(sizesOf(*addition, Framing::TokenLabels), "addition cannot be learned");
    TFM_VERIFY_ERROR(sizesOf(*addition, Framing::Seq2Seq), "no error");
  }

  void tooLongExamplesAreRefused() {
    const std::array example{Example{{0, 1, 2, 3, 4}, {0}}};
    QVERIFY_EXCEPTION_THROWN(frame(*wordTask("rot13"), Framing::Seq2Seq, example),
                             std::logic_error);
  }
};

TFM_TEST(TestFraming)
#include "test_framing.moc"

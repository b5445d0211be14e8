// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>
#include <string>

#include "core/data/batches.h"
#include "core/data/task_table.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::data;

namespace {

/// Whether a batch is what the notebook's get_data makes: letters, then pads; the answer 13 further
/// on with the same pads; the decoder input one later, after the start token.
bool isAsInTheNotebook(const Batch& batch) {
  constexpr std::int32_t kPad = 27;
  if (batch.size != 50 || batch.source_length != 15 || batch.target_length != 15) return false;
  for (std::size_t i = 0; i < 750; ++i) {
    const std::size_t position = i % 15;
    const bool pad = batch.source_pad[i] != 0;
    if (position == 0 && pad) return false;    // at least one letter
    if (position == 14 && !pad) return false;  // at most 14
    if (position > 0 && batch.source_pad[i - 1] != 0 && !pad) return false;
    if (pad ? batch.source[i] != kPad : batch.source[i] < 0 || batch.source[i] > 25) return false;
    if (batch.labels[i] != (pad ? kPad : (batch.source[i] + 13) % 26)) return false;
    if (batch.target[i] != (position == 0 ? 26 : batch.labels[i - 1])) return false;
    if (batch.label_weights[i] != 1.0F / 750) return false;
  }
  return true;
}

}  // namespace

class TestBatches : public QObject {
  Q_OBJECT

 private slots:
  void rot13IsAsInTheNotebook() {
    const auto task = makeTask(TaskConfig{});
    for (std::uint64_t step = 0; step < 20; ++step)
      QVERIFY(isAsInTheNotebook(trainingBatch(*task, Framing::Seq2Seq, 0, step, 50)));
  }

  void epochsAreTheStepsUntilEveryExampleHasCome() {
    TaskConfig pairs = defaultTaskConfig("pairs");
    for (int i = 0; i < 100; ++i) pairs.text += std::to_string(i) + "\tx\n";
    const auto task = makeTask(pairs);
    QCOMPARE(task->exampleCount(Split::Training), 90);
    QCOMPARE(stepsOfEpochs(*task, Framing::Seq2Seq, 1.0, 9), 10);
    QCOMPARE(stepsOfEpochs(*task, Framing::Seq2Seq, 2.0, 20), 9);  // batches go on across epochs
    QCOMPARE(stepsOfEpochs(*task, Framing::Seq2Seq, 0.001, 20), 1);
    // Classes: an epoch is split into whole batches.
    TaskConfig classes = defaultTaskConfig("classes");
    for (int i = 0; i < 100; ++i)
      classes.text += std::to_string(i) + (i % 2 == 0 ? "\teven\n" : "\todd\n");
    const auto labelled = makeTask(classes);
    QCOMPARE(labelled->exampleCount(Split::Training), 90);
    QCOMPARE(stepsOfEpochs(*labelled, Framing::Classes, 2.0, 20), 10);
    QCOMPARE(stepsOfEpochs(*makeTask(TaskConfig{}), Framing::Seq2Seq, 1.0, 50), 0);
  }

  void theTestSeesABatchThatIsNot() {
    const auto task = makeTask(TaskConfig{});
    const Batch good = trainingBatch(*task, Framing::Seq2Seq, 0, 0, 50);
    Batch bad = good;
    bad.labels[15] = (bad.labels[15] + 1) % 26;
    QVERIFY(!isAsInTheNotebook(bad));
    bad = good;
    bad.target[0] = 27;
    QVERIFY(!isAsInTheNotebook(bad));
    bad = good;
    bad.source_pad[14] = 0;
    QVERIFY(!isAsInTheNotebook(bad));
    const auto copy = makeTask(defaultTaskConfig("copy"));
    QVERIFY(!isAsInTheNotebook(trainingBatch(*copy, Framing::Seq2Seq, 0, 0, 50)));
  }

  void theSameStepIsTheSameBatch() {
    for (const char* kind : {"rot13", "addition", "parentheses", "text"}) {
      const auto task = makeTask(defaultTaskConfig(kind));
      const auto again = makeTask(defaultTaskConfig(kind));
      const Framing framing = framingsOf(task->form()).front();
      const Batch batch = trainingBatch(*task, framing, 5, 12, 8);
      QCOMPARE(trainingBatch(*again, framing, 5, 12, 8), batch);
      QVERIFY(trainingBatch(*task, framing, 5, 13, 8) != batch);
      QVERIFY(trainingBatch(*task, framing, 6, 12, 8) != batch);
    }
  }

  void stepsFollowEachOther() {
    // The batch of step 1 continues where that of step 0 ends.
    const auto task = makeTask(TaskConfig{});
    const Batch large = trainingBatch(*task, Framing::Seq2Seq, 0, 0, 20);
    const Batch second = trainingBatch(*task, Framing::Seq2Seq, 0, 1, 10);
    QCOMPARE(Ids(large.source.begin() + 150, large.source.end()), second.source);
  }

  void anEpochOfBatchesUsesEveryRowOnce() {
    TaskConfig config = defaultTaskConfig("classes");
    for (int i = 0; i < 100; ++i)
      config.text += std::to_string(1000 + i) + "\t" + std::to_string(i % 2) + "\n";
    const auto task = makeTask(config);
    QCOMPARE(task->exampleCount(Split::Training), 90);
    std::multiset<Ids> seen;
    for (std::uint64_t step = 0; step < 9; ++step) {
      const Batch batch = trainingBatch(*task, Framing::Classes, 0, step, 10);
      for (auto row = batch.source.begin(); row != batch.source.end(); row += batch.source_length)
        seen.emplace(row, row + batch.source_length);
    }
    QCOMPARE(seen.size(), 90U);
    QCOMPARE(std::set<Ids>(seen.begin(), seen.end()).size(), 90U);
  }

  void evaluationGoesOn() {
    const auto task = makeTask(TaskConfig{});
    const Batch both = evaluationBatch(*task, Framing::Seq2Seq, 0, 20);
    const Batch second = evaluationBatch(*task, Framing::Seq2Seq, 10, 10);
    QCOMPARE(Ids(both.source.begin() + 150, both.source.end()), second.source);
  }

  void anEmptyBatchIsRefused() {
    const auto task = makeTask(TaskConfig{});
    QVERIFY_EXCEPTION_THROWN(trainingBatch(*task, Framing::Seq2Seq, 0, 0, 0), std::logic_error);
  }
};

TFM_TEST(TestBatches)
#include "test_batches.moc"

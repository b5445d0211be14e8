// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <map>
#include <set>

#include "core/data/batches.h"
#include "core/data/task_table.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::data;

namespace {

constexpr std::int64_t kTrained = 180;  // of 200

/// Two hundred different texts of 1 to 40 words.
std::unique_ptr<Task> texts() {
  TaskConfig config = defaultTaskConfig("sentiment");
  config.tokenizer = "character";
  config.vocabulary = "<pad>\n<unknown>\na\nb\n ";
  for (int i = 0; i < 200; ++i) {
    std::string text;
    for (int bit = 0; bit < 8; ++bit) text += (i >> bit & 1) == 0 ? 'a' : 'b';
    for (int j = 0; j < i * 7 % 33; ++j) text += 'a';
    config.text += std::to_string(i % 2) + '\t' + text + '\n';
  }
  return makeTask(config);
}

std::vector<Ids> rowsOf(const Batch& batch) {
  std::vector<Ids> rows;
  for (std::int64_t i = 0; i < batch.size; ++i) {
    Ids row;
    for (std::int64_t j = 0; j < batch.source_length; ++j) {
      const auto at = static_cast<std::size_t>(i * batch.source_length + j);
      if (batch.source_pad[at] == 0) row.push_back(batch.source[at]);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

class TestBuckets : public QObject {
  Q_OBJECT

 private slots:
  void everyExampleComesOnceAnEpoch_data() {
    QTest::addColumn<int>("batch_size");
    for (const int size : {1, 7, 16, 50, 179, 180, 1000})
      QTest::newRow(qPrintable(QString::number(size))) << size;
  }

  void everyExampleComesOnceAnEpoch() {
    QFETCH(int, batch_size);
    const auto task = texts();
    QCOMPARE(task->exampleCount(Split::Training), kTrained);
    const std::int64_t steps = (kTrained + batch_size - 1) / batch_size;
    for (const std::int64_t epoch : {0, 1, 5}) {
      std::set<Ids> seen;
      std::int64_t count = 0;
      for (std::int64_t step = epoch * steps; step < (epoch + 1) * steps; ++step) {
        const Batch batch =
            trainingBatch(*task, Framing::Classes, 3, static_cast<std::uint64_t>(step), batch_size);
        QVERIFY(batch.size <= batch_size);
        QVERIFY(batch.size >= kTrained / steps);  // all nearly equally large
        count += batch.size;
        for (Ids& row : rowsOf(batch)) seen.insert(std::move(row));
      }
      QCOMPARE(count, kTrained);
      QCOMPARE(std::int64_t(seen.size()), kTrained);
    }
  }

  void batchesAreAsLongAsTheyNeed() {
    const auto task = texts();
    std::int64_t positions = 0;
    std::int64_t tokens = 0;
    std::set<std::int64_t> lengths;
    for (std::uint64_t step = 0; step < 18; ++step) {
      const Batch batch = trainingBatch(*task, Framing::Classes, 3, step, 10);
      std::size_t longest = 0;
      for (const Ids& row : rowsOf(batch)) {
        longest = std::max(longest, row.size());
        tokens += static_cast<std::int64_t>(row.size());
      }
      QCOMPARE(batch.source_length, (std::int64_t(longest) + 7) / 8 * 8);
      positions += batch.source_length * batch.size;
      lengths.insert(batch.source_length);
    }
    QVERIFY(lengths.size() >= 4U);
    // Without sorting nearly every batch of ten would be 40 long and 40 % pads.
    QVERIFY2(double(tokens) / double(positions) > 0.8, qPrintable(QString::number(tokens)));
  }

  void windowsAreSortedBatchesAreNot() {
    const auto task = texts();
    std::vector<std::int64_t> in_order;
    for (std::uint64_t step = 0; step < 8; ++step)
      in_order.push_back(trainingBatch(*task, Framing::Classes, 3, step, 10).source_length);
    QVERIFY(!std::is_sorted(in_order.begin(), in_order.end()));
    // Sorted by their length, the batches of a window do not overlap.
    std::vector<std::pair<std::size_t, std::size_t>> spans;
    for (std::uint64_t step = 0; step < 8; ++step) {
      std::size_t least = 1000, most = 0;
      for (const Ids& row : rowsOf(trainingBatch(*task, Framing::Classes, 3, step, 10))) {
        least = std::min(least, row.size());
        most = std::max(most, row.size());
      }
      spans.emplace_back(least, most);
    }
    std::sort(spans.begin(), spans.end());
    for (std::size_t i = 1; i < spans.size(); ++i) QVERIFY(spans[i - 1].second <= spans[i].first);
  }

  void aBatchIsAFunctionOfItsArguments() {
    const auto task = texts();
    const auto grammar = makeTask(defaultTaskConfig("sentiment"));
    for (const Task* made : std::initializer_list<const Task*>{task.get(), grammar.get()}) {
      const Batch batch = trainingBatch(*made, Framing::Classes, 3, 21, 10);
      for (const std::uint64_t other : {0, 20, 22})
        QVERIFY(trainingBatch(*made, Framing::Classes, 3, other, 10) != batch);
      QCOMPARE(trainingBatch(*made, Framing::Classes, 3, 21, 10), batch);
      QVERIFY(trainingBatch(*made, Framing::Classes, 4, 21, 10) != batch);
      QVERIFY(trainingBatch(*made, Framing::Classes, 3, 21, 11) != batch);
    }
    QCOMPARE(trainingBatch(*texts(), Framing::Classes, 3, 21, 10),
             trainingBatch(*task, Framing::Classes, 3, 21, 10));
  }

  void aWindowOfGeneratedExamplesIsWhatWasDrawn() {
    const auto task = makeTask(defaultTaskConfig("sentiment"));
    std::multiset<Ids> drawn, seen;
    for (std::uint64_t i = 80; i < 160; ++i)
      drawn.insert(task->example(Split::Training, 3, i).source);
    for (std::uint64_t step = 8; step < 16; ++step)
      for (Ids& row : rowsOf(trainingBatch(*task, Framing::Classes, 3, step, 10)))
        seen.insert(std::move(row));
    QCOMPARE(seen, drawn);
  }

  void evaluationHasTheSameExamplesInAnotherOrder() {
    const auto task = texts();
    const std::vector<std::uint64_t> order = evaluationOrder(*task, Framing::Classes, 20);
    QCOMPARE(std::set<std::uint64_t>(order.begin(), order.end()).size(), 20U);
    QCOMPARE(*std::max_element(order.begin(), order.end()), 19U);
    std::vector<std::size_t> lengths;
    std::multiset<Ids> seen, expected;
    for (const std::uint64_t number : order) {
      const Ids source = task->example(Split::Evaluation, 0, number).source;
      lengths.push_back(source.size());
    }
    QVERIFY(std::is_sorted(lengths.begin(), lengths.end()));
    for (std::size_t first = 0; first < 20; first += 5)
      for (Ids& row :
           rowsOf(evaluationBatch(*task, Framing::Classes, std::span(order).subspan(first, 5))))
        seen.insert(std::move(row));
    for (Ids& row : rowsOf(evaluationBatch(*task, Framing::Classes, 0, 20)))
      expected.insert(std::move(row));
    QCOMPARE(seen, expected);
    const auto words = makeTask(TaskConfig{});  // the order of other tasks is as it was
    QCOMPARE(evaluationOrder(*words, Framing::Seq2Seq, 3), (std::vector<std::uint64_t>{0, 1, 2}));
  }
};

TFM_TEST(TestBuckets)
#include "test_buckets.moc"

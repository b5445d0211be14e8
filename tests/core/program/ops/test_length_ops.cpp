// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <limits>
#include <vector>

#include "core/backend/registry.h"
#include "core/program/executor.h"
#include "core/program/ops/ops.h"
#include "tests/test_program.h"

using tfm::IdPooling;
using tfm::Pooling;
using tfm::ProgramBuilder;
using tfm::SequencePooling;
using tfm::TensorId;

namespace {

using Ids = std::vector<std::int32_t>;
using Row = std::vector<double>;

/// y of a program whose inputs are one sequence x of single numbers and its integers.
tfm::Executor<double> executed(ProgramBuilder builder, const Row& x, const Ids& ids) {
  static const auto backend = tfm::makeBackend<double>();
  const auto program = std::make_shared<const tfm::Program>(builder.finish());
  tfm::Executor<double> executor(program, *backend, false);
  if (!x.empty()) executor.upload(program->find("x"), x);
  if (!ids.empty()) executor.upload(program->find("ids"), ids);
  executor.forward(nullptr, {});
  return executor;
}

Row pooled(const Row& x, const SequencePooling& sequence, Pooling kind) {
  ProgramBuilder b({}, false, false);
  tfm::ops::sequencePool(b, "y", b.input("x", std::ssize(x), 1), sequence, kind);
  auto executor = executed(std::move(b), x, {});
  const auto y = executor.values(executor.program().find("y"));
  return {y.data, y.data + y.size()};
}

Row upsampled(const Row& x, const tfm::SequenceUpsampling& sequence) {
  ProgramBuilder b({}, false, false);
  tfm::ops::upsample(b, "y", b.input("x", std::ssize(x), 1), sequence);
  auto executor = executed(std::move(b), x, {});
  const auto y = executor.values(executor.program().find("y"));
  return {y.data, y.data + y.size()};
}

Ids pooled(const Ids& ids, const SequencePooling& sequence, IdPooling kind) {
  ProgramBuilder b({}, false, false);
  tfm::ops::poolIds(b, "y", b.ids("ids", std::ssize(ids)), sequence, kind);
  auto executor = executed(std::move(b), {}, ids);
  const auto y = executor.ids(executor.program().find("y"));
  return {y.begin(), y.end()};
}

/// The lengths of three blocks.
std::vector<std::int64_t> lengths(SequencePooling sequence) {
  std::vector<std::int64_t> all;
  for (int block = 0; block < 3; ++block) {
    all.push_back(sequence.length);
    sequence.length = sequence.pooledLength();
  }
  return all;
}

using Lengths = std::vector<std::int64_t>;
const Row kEight{0, 1, 2, 3, 4, 5, 6, 7};
constexpr SequencePooling kPlain{8, false, false}, kTruncated{8, true, true};

}  // namespace

class TestLengthOps : public QObject {
  Q_OBJECT

 private slots:
  void lengthsAreThoseOfTheOfficialCode() {
    QCOMPARE(lengths({512, true, true}), (Lengths{512, 256, 128}));
    QCOMPARE(lengths({512, true, false}), (Lengths{512, 257, 129}));
    QCOMPARE(lengths({512, false, false}), (Lengths{512, 256, 128}));
    QCOMPARE(lengths({512, false, true}), (Lengths{512, 256, 128}));
    QCOMPARE(lengths({7, true, true}), (Lengths{7, 4, 2}));
    QCOMPARE(lengths({1, true, true}), (Lengths{1, 1, 1}));
  }

  void aSeparateClsIsNotMixed() {
    const Row once = pooled(kEight, kTruncated, Pooling::Mean);
    QCOMPARE(once, (Row{0, 1.5, 3.5, 5.5}));
    QCOMPARE(pooled(once, {4, true, true}, Pooling::Mean), (Row{0, 2.5}));
    QCOMPARE(pooled(kEight, {8, true, false}, Pooling::Mean), (Row{0, 1.5, 3.5, 5.5, 7}));
    const Row without = pooled(kEight, kPlain, Pooling::Mean);
    QCOMPARE(without, (Row{0.5, 2.5, 4.5, 6.5}));
    QCOMPARE(pooled(without, {4}, Pooling::Mean), (Row{1.5, 5.5}));
  }

  void theMaximumIsOfEachPair() {
    QCOMPARE(pooled({3, 1, 5, -2, -7, 0, 4}, {7}, Pooling::Max), (Row{3, 5, 0, 4}));
    const double none = std::numeric_limits<double>::quiet_NaN();
    for (const Row& pair : {Row{1, none}, Row{none, 1}})
      for (const Pooling kind : {Pooling::Mean, Pooling::Max})
        QVERIFY(std::isnan(pooled(pair, {2}, kind).front()));
  }

  void aSequenceIsFilledUpWithCopies() {
    QCOMPARE(upsampled({0, 2.5}, {2, 4, 8, true}), (Row{0, 2.5, 2.5, 2.5, 2.5, 0, 0, 0}));
    QCOMPARE(upsampled({1, 5}, {2, 4, 8}), (Row{1, 1, 1, 1, 5, 5, 5, 5}));
    QCOMPARE(upsampled({9, 1, 5}, {3, 4, 8, true}), (Row{9, 1, 1, 1, 1, 5, 5, 5}));
    QCOMPARE(upsampled(kEight, {8, 1, 8, true}), kEight);
  }

  void whatIsPooledTwiceAndUpSampledHasTheOldLength() {
    for (const bool separate_cls : {false, true})
      for (const bool truncate : {false, true})
        for (std::int64_t length = 1; length < 40; ++length) {
          SequencePooling last{length, separate_cls, truncate};
          for (int i = 0; i < 2; ++i) last.length = last.pooledLength();
          const auto size = std::size_t(last.length);
          QCOMPARE(upsampled(Row(size, 1.0), {last.length, 4, length, separate_cls}).size(),
                   std::size_t(length));
        }
  }

  void everyPositionIsInOnePair() {
    for (const bool separate_cls : {false, true})
      for (const bool truncate : {false, true})
        for (std::int64_t length = 2; length < 20; ++length) {
          const SequencePooling sequence{length, separate_cls, truncate};
          std::int64_t next = 0;
          for (std::int64_t i = 0; i < sequence.pooledLength(); ++i) {
            QCOMPARE(sequence.first(i), next);
            QVERIFY(sequence.count(i) >= 1 && sequence.count(i) <= 2);
            next += sequence.count(i);
          }
          QCOMPARE(next, separate_cls && truncate ? length - 1 : length);
        }
  }

  void aPooledPositionIsPaddingIfAllThatItHoldsIs() {
    const Ids pad{0, 0, 0, 0, 1, 1, 1, 1};
    QCOMPARE(pooled(pad, kPlain, IdPooling::Min), (Ids{0, 0, 1, 1}));
    QCOMPARE(pooled(pad, kTruncated, IdPooling::Min), (Ids{0, 0, 0, 1}));
    QCOMPARE(pooled(pad, kTruncated, IdPooling::Max), (Ids{0, 0, 1, 1}));
    QCOMPARE(pooled(pad, {8, true, false}, IdPooling::Min), (Ids{0, 0, 0, 1, 1}));
  }

  void aPooledPositionHasTheSegmentOfItsFirst() {
    QCOMPARE(pooled(Ids{2, 0, 0, 0, 1, 1, 1, 1}, kTruncated, IdPooling::First), (Ids{2, 0, 0, 1}));
    QCOMPARE(pooled(Ids{5, 4, 3, 2, 1}, {5}, IdPooling::First), (Ids{5, 3, 1}));
  }

  void distancesAreThoseOfThePositions() {
    // Positions 0, 1, 2, ...; pooled, [CLS] goes before the pairs (1, 2), (3, 4), ... at -1.
    for (const bool cls : {false, true})
      for (const std::int64_t ratio : {1, 2}) {
        const tfm::RelativeArguments a{{1, 4, ratio * 4, 1, 1, 1}, ratio, cls};
        for (std::int64_t i = cls ? 1 : 0; i < 4; ++i)
          for (std::int64_t j = cls ? 1 : 0; j < ratio * 4; ++j) {
            const std::int64_t query = cls ? 1 + (i - 1) * ratio : i * ratio;
            QCOMPARE(a.distance(a.rowOf(i, j)), query - j);
            QVERIFY(a.rowOf(i, j) >= 0 && a.rowOf(i, j) < a.distances());
          }
      }
  }
};

TFM_TEST(TestLengthOps)
#include "test_length_ops.moc"

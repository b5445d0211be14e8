// SPDX-License-Identifier: GPL-3.0-or-later
// What growing takes is known before, told while it goes on, and can be ended.
#include <QtTest>
#include <algorithm>
#include <ctime>

#include "core/model/presets.h"
#include "core/tensor/random.h"
#include "tests/core/expand/small_models.h"
#include "tests/core/io/error_of.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::expand;
using namespace tfm::test;

namespace {

Plan everyKind() {
  Growth layers = growthTo(Kind::Layers, 3);
  layers.stacks = Stacks::Decoder;
  return {growthTo(Kind::FeedForward, 90), growthTo(Kind::Heads, 5),
          growthTo(Kind::ValueSize, 40),   growthTo(Kind::KeySize, 41),
          growthTo(Kind::Hidden, 100),     layers};
}

/// Large enough to be grown on two threads.
ModelState largeState() {
  ModelConfig config = presetNamed("benchmark-decoder").config();
  config.hidden = 64;
  return trainedState(config);
}

/// Processor time of this thread: what others do on the machine does not count.
double processorSeconds(const std::function<void()>& work) {
  const auto clock = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
  };
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const double begin = clock();
    work();
    best = std::min(best, clock() - begin);
  }
  return best;
}

}  // namespace

class TestGrowthWork : public QObject {
  Q_OBJECT

 private slots:
  void whatItTakesIsEstimated() {
    const ModelState before = trainedState(smallModel("both pre layer").config);
    const Plan plan = everyKind();
    const Grown grown = grow(before, plan);
    std::int64_t maps = 0;
    for (const Change& change : grown.changes)
      for (const ParameterGrowth& p : change.parameters)
        maps += std::int64_t((p.rows.size() + p.cols.size()) * sizeof(AxisIndex));
    const GrowthCost cost = costOf(outlineGrowths(before.config, plan, before.step));
    QCOMPARE(cost.parameters, grown.state.layout.total);
    const std::int64_t kept = byteCount(grown.state) + maps;
    QVERIFY2(cost.bytes > kept && cost.bytes < 5 * kept,
             qPrintable(QString("%1 for %2").arg(cost.bytes).arg(kept)));
    QVERIFY(cost.seconds > 0.0);
    QCOMPARE(costOf(grown.changes).bytes, cost.bytes);
    QCOMPARE(costOf({}).bytes, 0);
  }

  void anOutlineIsThePlanWithoutItsMaps() {
    const ModelState before = trainedState(smallModel("both pre layer").config);
    const std::vector<Change> outline = outlineGrowths(before.config, everyKind(), before.step);
    const std::vector<Change> changes = planGrowths(before.config, everyKind(), before.step);
    QCOMPARE(outline.size(), changes.size());
    for (std::size_t i = 0; i < changes.size(); ++i) {
      QVERIFY(outline[i].parameters.empty() && !changes[i].parameters.empty());
      QVERIFY(outline[i].after == changes[i].after && outline[i].growth == changes[i].growth);
      QCOMPARE(outline[i].layout_after.total, changes[i].layout_after.total);
      QCOMPARE(outline[i].notes, changes[i].notes);
      QCOMPARE(outline[i].exact, changes[i].exact);
    }
  }

  /// Each of the two would fit where the other is not.
  void whatDoesNotFitIsRefusedAtOnce() {
    const ModelConfig config = presetNamed("rot13").config();
    Growth layers = growthTo(Kind::Layers, 1024);
    layers.stacks = Stacks::Decoder;
    const Plan plan{layers, growthTo(Kind::Hidden, 65536)};
    // Not even its maps are made: they alone would take tens of gigabytes.
    TFM_VERIFY_ERROR(planGrowths(config, plan), "of memory");
    TFM_VERIFY_ERROR(outlineGrowths(config, plan), "of memory");
    TFM_VERIFY_ERROR(grow(initialState(config, 1), plan), "Choose a smaller size");
  }

  void everyNumberIsTold() {
    const ModelState before = trainedState(smallModel("both pre layer").config);
    for (const bool carried : {true, false}) {
      const std::vector<Change> changes = planGrowths(before, everyKind());
      std::int64_t numbers = 0, last = 0, all = 0;
      for (const Change& change : changes) numbers += change.layout_after.total;
      const Progress progress = [&](std::int64_t done, std::int64_t of) {
        if (of != all) last = 0;  // planning is told before growing
        all = of;
        if (done < last) return false;
        last = done;
        return true;
      };
      const Grown told =
          carried ? grow(before, everyKind(), progress) : growParameters(before, changes, progress);
      QCOMPARE(last, all);
      QCOMPARE(all, (carried ? 4 : 1) * numbers);
      QVERIFY(told.state.parameters == grow(before, everyKind()).state.parameters);
    }
  }

  void itEndsWhereItIsNotWanted_data() {
    QTest::addColumn<int>("calls");
    for (const int calls : {1, 2, 60, 500}) QTest::addRow("after %d", calls) << calls;
  }
  void itEndsWhereItIsNotWanted() {
    QFETCH(int, calls);
    const ModelState before = largeState();
    int called = 0;
    const Progress progress = [&](std::int64_t, std::int64_t) { return ++called < calls; };
    QVERIFY_EXCEPTION_THROWN(
        grow(before, {growthTo(Kind::Hidden, 96), growthTo(Kind::FeedForward, 1500)}, progress),
        Cancelled);
    QCOMPARE(called, calls);  // nobody asks again
  }

  void aProofEndsWhereItIsNotWanted() {
    const ModelState before = trainedState(smallModel("both pre layer").config);
    const Grown grown = grow(before, {growthTo(Kind::FeedForward, 9), growthTo(Kind::KeySize, 5)});
    const Batch probe = probeBatch(before.config);
    int called = 0;
    verify(before, grown, probe, [&](auto...) { return ++called > 0; });
    QVERIFY(called > 2);
    for (int last = 1; last <= called; ++last) {
      int asked = 0;
      QVERIFY_EXCEPTION_THROWN(
          verify(before, grown, probe, [&](auto...) { return ++asked < last; }), Cancelled);
    }
  }

  /// Each copy's share, one by one, by its formula.
  void sharesAreThoseOfEachCopyAlone() {
    const ModelConfig config = smallModel("both pre layer").config;
    constexpr std::int64_t kCopies = 5;
    Growth growth = growthTo(Kind::Hidden, kCopies * config.hidden);
    growth.hidden_method = HiddenMethod::Duplicate;
    const Change change = planGrowth(config, growth);
    const Random random(0, 0x5117);
    const auto weight = [&](std::int64_t component, std::int64_t copy) {
      return 0.5 + random.uniform(std::uint64_t(component * kCopies + copy));
    };
    int seen = 0;
    for (const ParameterGrowth& p : change.parameters) {
      for (std::int64_t i = 0; i < std::int64_t(p.cols.size()); ++i) {
        const AxisIndex& index = p.cols[std::size_t(i)];
        if (index.share == 1.0) continue;
        const std::int64_t component = i % config.hidden, copy = i / config.hidden;
        double sum = 0.0, others = 0.0;
        for (std::int64_t c = 0; c < kCopies; ++c) sum += weight(component, c);
        for (std::int64_t c = 0; c + 1 < kCopies; ++c) others += weight(component, c) / sum;
        QCOMPARE(index.source, component);
        QVERIFY(index.share == (copy + 1 < kCopies ? weight(component, copy) / sum : 1.0 - others));
        ++seen;
      }
    }
    QVERIFY(seen > 100);
  }

  /// Eight times as many copies take about eight times as long, and far from sixty-four times.
  void planningTakesTimeInProportion() {
    const ModelConfig config = presetNamed("rot13").config();
    const auto of = [&](std::int64_t size) {
      return processorSeconds([&] { planGrowth(config, growthTo(Kind::Hidden, size)); });
    };
    const double small = of(2048), large = of(8 * 2048);
    QVERIFY2(large < 24 * small, qPrintable(QString("%1 s, %2 s").arg(small).arg(large)));
  }

  /// The same of means, of which one is made for each new component.
  void meansTakeTimeInProportion() {
    ModelConfig config = presetNamed("benchmark-decoder").config();
    const auto of = [&](std::int64_t hidden) {
      config.hidden = hidden;
      setUniform(config, 0, 1, {2, 2, 2, 8, 1e-5});
      const ModelState before = trainedState(config);
      Growth growth = growthTo(Kind::Hidden, 2 * hidden - 1);
      growth.hidden_method = HiddenMethod::Average;
      const std::vector<Change> changes = planGrowths(before, {growth});
      return processorSeconds([&] { growParameters(before, changes); });
    };
    const double small = of(128), large = of(8 * 128);
    QVERIFY2(large < 24 * small, qPrintable(QString("%1 s, %2 s").arg(small).arg(large)));
  }
};

TFM_TEST(TestGrowthWork)
#include "test_growth_work.moc"

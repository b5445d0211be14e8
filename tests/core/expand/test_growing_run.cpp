// SPDX-License-Identifier: GPL-3.0-or-later
// Growing in the middle of a training.
#include <QtTest>
#include <chrono>

#include "core/data/batches.h"
#include "core/model/presets.h"
#include "tests/core/expand/small_models.h"
#include "tests/core/train/training.h"
#include "tests/test_program.h"

using namespace tfm;
using namespace tfm::expand;
using namespace tfm::test;

namespace {

train::Document trainedDocument(bool dropout = false) {
  train::TrainConfig config;
  config.batch_size = 16;
  train::Document document = documentOf("sequence", "copy", config, dropout);
  train::Trainer trainer = trainerOf(document, 2);
  losses(trainer, 30);
  document.state = trainer.state();
  return document;
}

Growth ofDecoder(Growth growth) {
  growth.stacks = Stacks::Decoder;
  return growth;
}

double seconds(const std::function<void()>& work) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count());
  }
  return best;
}

}  // namespace

class TestGrowingRun : public QObject {
  Q_OBJECT

 private slots:
  void trainingGoesOn_data() {
    QTest::addColumn<Growth>("growth");
    QTest::newRow("feed-forward") << growthTo(Kind::FeedForward, 80);
    QTest::newRow("heads") << growthTo(Kind::Heads, 6);
    QTest::newRow("value size") << growthTo(Kind::ValueSize, 12);
    QTest::newRow("key size") << growthTo(Kind::KeySize, 12);
    QTest::newRow("hidden, copies") << growthTo(Kind::Hidden, 64);
    Growth hidden = growthTo(Kind::Hidden, 40);
    hidden.hidden_method = HiddenMethod::Centre;
    QTest::newRow("hidden, centred") << hidden;
    hidden.hidden_method = HiddenMethod::Mask;
    hidden.mask_steps = 10;
    QTest::newRow("hidden, masked") << hidden;
    QTest::newRow("layers") << ofDecoder(growthTo(Kind::Layers, 3));
    Growth gate = ofDecoder(growthTo(Kind::Layers, 3));
    gate.layer_method = LayerMethod::Gate;
    QTest::newRow("gated layer") << gate;
  }
  void trainingGoesOn() {
    QFETCH(Growth, growth);
    train::Document document = trainedDocument();
    const train::Evaluation small = trainerOf(document).evaluate(64);
    document.state = grow(document.state, {growth}).state;
    train::Trainer trainer = trainerOf(document, 2);
    QVERIFY(std::abs(trainer.evaluate(64).loss - small.loss) < 1e-4);
    const std::vector<double> after = losses(trainer, 40);
    for (const double loss : after) QVERIFY(std::isfinite(loss));
    QVERIFY2(trainer.evaluate(64).loss < small.loss - 0.02,
             qPrintable(QString("%1 from %2").arg(trainer.evaluate(64).loss).arg(small.loss)));
  }

  void threadsDoNotMatter() {
    train::Document document = trainedDocument(true);
    document.state = grow(document.state, {growthTo(Kind::Hidden, 64), growthTo(Kind::Heads, 5),
                                           ofDecoder(growthTo(Kind::Layers, 3))})
                         .state;
    train::Trainer one = trainerOf(document, 1), two = trainerOf(document, 2);
    QCOMPARE(losses(one, 8), losses(two, 8));
    QVERIFY(sameState(one.state(), two.state()));
  }

  void theSamePlanGivesTheSameNumbers() {
    const ModelState before = trainedDocument().state;
    const Plan plan{growthTo(Kind::FeedForward, 80), ofDecoder(growthTo(Kind::Layers, 4)),
                    growthTo(Kind::Hidden, 64), growthTo(Kind::KeySize, 9)};
    const ModelState once = grow(before, plan).state;
    QVERIFY(sameState(once, grow(before, plan).state));
    ModelState one_by_one = before;
    for (const Growth& growth : plan) one_by_one = grow(one_by_one, {growth}).state;
    QVERIFY(sameState(once, one_by_one));
    // Written, read and replayed.
    QVERIFY(sameState(once, grow(before, planFromJson(toJson(plan), "plan")).state));
    // The control: at another step, or with a seed, other numbers are drawn.
    ModelState later = before;
    ++later.step;
    QVERIFY(grow(later, plan).state.parameters != once.parameters);
    Plan seeded = plan;
    seeded.front().seed = 5;
    QVERIFY(grow(before, seeded).state.parameters != once.parameters);
  }

  void whatDoesNotGrowIsBitIdentical() {
    const ModelState before = trainedDocument().state;
    for (const Growth& growth : {growthTo(Kind::FeedForward, 80), growthTo(Kind::Heads, 6),
                                 ofDecoder(growthTo(Kind::Layers, 3))}) {
      const Grown grown = grow(before, {growth});
      int untouched = 0;
      for (const ParameterGrowth& p : grown.changes.front().parameters) {
        if (p.grows()) continue;
        const auto same = [&](const AlignedVector<float>& a, const AlignedVector<float>& b) {
          const auto from = a.begin() + p.before->offset;
          return std::equal(from, from + p.after.size(), b.begin() + p.after.offset);
        };
        QVERIFY(same(before.parameters, grown.state.parameters));
        QVERIFY(same(before.first_moment, grown.state.first_moment));
        QVERIFY(same(before.second_moment, grown.state.second_moment));
        ++untouched;
      }
      QVERIFY(untouched > 10);
    }
  }

  void anEmptyPlanChangesNothing() {
    const ModelState before = trainedDocument().state;
    QVERIFY(sameState(before, grow(before, {}).state));
  }

  /// Printed, not asserted: no test depends on the speed of a machine.
  void speedAtAMillionParameters() {
    ModelConfig config = presetNamed("benchmark-decoder").config();
    config.hidden = 128;
    setUniform(config, 0, 5, {8, 16, 16, 512, 1e-5});
    const ModelState state = trainedState(config);
    Batch probe = probeBatch(config);
    for (const Growth& growth :
         {growthTo(Kind::FeedForward, 768), growthTo(Kind::Heads, 10), growthTo(Kind::KeySize, 24),
          growthTo(Kind::Hidden, 160), growthTo(Kind::Layers, 6)}) {
      Grown grown;
      const double preview = seconds([&] { planGrowths(config, {growth}); });
      const double apply = seconds([&] { grown = grow(state, {growth}); });
      const double prove = seconds([&] { verify(state, grown, probe); });
      qInfo("%s: %lld -> %lld parameters, preview %.1f ms, grow %.1f ms, verify %.1f ms",
            describe(growth, config).c_str(), static_cast<long long>(state.layout.total),
            static_cast<long long>(grown.state.layout.total), 1e3 * preview, 1e3 * apply,
            1e3 * prove);
    }
  }
};

TFM_TEST(TestGrowingRun)
#include "test_growing_run.moc"
